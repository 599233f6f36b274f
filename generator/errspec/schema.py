"""Checks a document's shape against its JSON Schema: one diagnostic a violation.

The schemas carry two annotations of our own beside the standard keywords:
`errorMessage` (the rule in words, which some editors show too) and `x-id` (the
diagnostic's id where the keyword's own would say less).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from jsonschema import Draft202012Validator, ValidationError, validators

from . import resources
from .diagnostics import Diagnostic, Path, did_you_mean, listed
from .source import Document

_NAMES = {
    "string": "text",
    "integer": "a whole number",
    "boolean": "true or false",
    "object": "a mapping",
    "array": "a list",
}
_IDS = {
    "type": "wrong-type",
    "enum": "wrong-value",
    "const": "wrong-value",
    "additionalProperties": "unknown-key",
    "required": "missing-key",
    "dependentRequired": "missing-key",
    "minProperties": "empty-value",
    "minItems": "empty-value",
    "minLength": "empty-value",
    "uniqueItems": "repeated-value",
    "maximum": "out-of-range",
    "minimum": "out-of-range",
}


def text(scalar: str | bool | int) -> str:
    """Return a plain scalar's characters as written: the text that `true` or 5 is."""
    if isinstance(scalar, bool):
        return "true" if scalar else "false"
    return str(scalar)


def check(document: Document, schema: str) -> list[Diagnostic]:
    """Return every violation of the schema `spec/<schema>.schema.json`.

    What follows from a problem that `source` has already reported is left out.
    """
    known = [d.path for d in document.diagnostics if d.severity == "error"]
    found: dict[tuple[Path, str], Diagnostic] = {}
    for error in _validator(schema).iter_errors(document.data):
        for diagnostic in _diagnostics(error, document.name):
            place = diagnostic.path
            if any(_touch(place, path) for path in known):
                continue
            found.setdefault((place, diagnostic.message), diagnostic)
    return list(found.values())


def _touch(path: Path, other: Path) -> bool:
    """Tell whether one of two places lies in the other (the whole document apart)."""
    shorter = min(len(path), len(other))
    return shorter > 0 and path[:shorter] == other[:shorter] and shorter == len(other)


def _is_text(_: object, value: object) -> bool:
    return isinstance(value, str | bool | int)


def _pattern(validator: Any, pattern: str, value: Any, _: Any) -> Iterator[Any]:
    if validator.is_type(value, "string") and not re.search(pattern, text(value)):
        yield ValidationError("does not match")


def _min_length(validator: Any, least: int, value: Any, _: Any) -> Iterator[Any]:
    if validator.is_type(value, "string") and len(text(value).strip()) < least:
        yield ValidationError("is too short")


def _max_length(validator: Any, most: int, value: Any, _: Any) -> Iterator[Any]:
    if validator.is_type(value, "string") and len(text(value)) > most:
        yield ValidationError("is too long")


# Where text is wanted a plain scalar is its characters as written, so true and 5 are
# text too: the type checker and the keywords for text have to know that.
_extend: Any = validators.extend  # untyped in its stubs
_Validator: Any = _extend(
    Draft202012Validator,
    {"pattern": _pattern, "minLength": _min_length, "maxLength": _max_length},
    type_checker=Draft202012Validator.TYPE_CHECKER.redefine("string", _is_text),
)


@lru_cache
def _validator(schema: str) -> Any:
    path = resources.folder("spec") / f"{schema}.schema.json"
    return _Validator(json.loads(path.read_text(encoding="utf-8")))


def _diagnostics(error: Any, file: str) -> Iterator[Diagnostic]:
    """Turn one violation into diagnostics at the key or the value that is wrong."""
    path: Path = tuple(error.absolute_path)
    keyword: str = error.validator
    rule: dict[str, Any] = error.schema if isinstance(error.schema, dict) else {}
    id = rule.get("x-id") or _IDS.get(keyword, "wrong-form")
    if keyword == "additionalProperties":
        yield from _unknown_keys(error, path, file)
    elif "propertyNames" in error.absolute_schema_path:
        # jsonschema blames the mapping; the instance is the key that is wrong.
        name = text(error.instance)
        message = rule.get("errorMessage") or f"must match {rule.get('pattern')}"
        yield Diagnostic(
            "wrong-key", f"{name!r} {message}", file, (*path, name), on="key"
        )
    elif keyword in ("required", "dependentRequired"):
        for missing, because in _missing(error):
            place = (*path, because) if because else path
            message = f"{because or _name(path)} needs {missing!r}"
            yield Diagnostic(
                id, message, file, place, on="key", mend=f"add {missing}: …"
            )
    else:
        message = f"{_name(path)} {rule.get('errorMessage') or _demand(error)}"
        if isinstance(error.instance, str | bool | int):
            message += f", not {text(error.instance)!r}"
        yield Diagnostic(id, message, file, path, mend=_mend(error))


def _name(path: Path) -> str:
    """Name a place for a sentence: the key, and for list items the list's key."""
    words = [p for p in path if isinstance(p, str)]
    if not words:
        return "the document"
    return f"an entry of {words[-1]}" if isinstance(path[-1], int) else words[-1]


def _unknown_keys(error: Any, path: Path, file: str) -> Iterator[Diagnostic]:
    known = error.schema.get("properties", {})
    for key in error.instance:
        if key in known:
            continue
        free = [k for k in known if k not in error.instance]
        mend = did_you_mean(key, free) or f"known keys: {listed(known)}"
        yield Diagnostic(
            "unknown-key", f"unknown key {key!r}", file, (*path, key), "key", mend
        )


def _missing(error: Any) -> Iterator[tuple[str, str | None]]:
    """Yield the missing keys of an object, each with the key that asks for it."""
    instance = error.instance
    if error.validator == "dependentRequired":
        for because, needed in error.validator_value.items():
            if because in instance:
                yield from ((n, because) for n in needed if n not in instance)
        return
    # A misspelt key is told as such; that its right form is missing follows from it.
    known = error.schema.get("properties") or {}
    strange = [k for k in instance if known and k not in known]
    for name in error.validator_value:
        asked = f"'{name}' is a required property" == error.message
        if asked and not any(did_you_mean(k, [name]) for k in strange):
            yield name, None


def _demand(error: Any) -> str:
    """Say in words what a keyword demands."""
    value = error.validator_value
    match error.validator:
        case "type":
            kinds = value if isinstance(value, list) else [value]
            return f"must be {listed(_NAMES.get(str(k), str(k)) for k in kinds)}"
        case "enum":
            return f"must be {listed(text(v) for v in value)}"
        case "const":
            return f"must be {text(value)}"
        case "minLength" | "minItems" | "minProperties":
            return "must not be empty"
        case "maxLength":
            return f"must have at most {value} characters"
        case "maxProperties":
            return "must have one key"
        case "uniqueItems":
            return "must not repeat an entry"
        case "minimum" | "maximum":
            rule = error.schema
            low, high = rule.get("minimum"), rule.get("maximum")
            return f"must be {low} or more" if high is None else f"must be {low}-{high}"
        case _:
            return f"breaks the rule {error.validator}"


_SPELT_OUT = {"yes": "true", "on": "true", "y": "true", "no": "false", "off": "false"}
_SPELT_OUT |= {"n": "false", "never": "false", "always": "true", "none": "unset"}


def _mend(error: Any) -> str | None:
    """Guess what was meant by a wrong word."""
    value = error.instance
    if not isinstance(value, str):
        return None
    words: list[Any] = []
    if error.validator == "enum":
        words = error.validator_value
    elif error.validator == "type" and error.validator_value == "boolean":
        words = [True, False]
    names = [text(w) for w in words]
    meant = _SPELT_OUT.get(value.casefold(), value.casefold())
    if meant in names:
        quoted = ", without quotes" if value in names else ""
        return f"did you mean {meant}?{quoted}"
    return did_you_mean(value, names)
