"""Checks a document's shape against its JSON Schema: one diagnostic a violation.

The schemas carry two annotations of our own beside the standard keywords:
`errorMessage` (the rule in words, which some editors show too) and `x-id` (the
diagnostic's id where the keyword's own would say less).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

import jsonschema_rs

from . import resources
from .diagnostics import Diagnostic, Path, did_you_mean, listed
from .source import Document

_KINDS = {
    "integer": "a whole number",
    "boolean": "true or false",
    "object": "a mapping",
    "array": "a list",
}
_IDS = {
    "type": "wrong-type",
    "enum": "wrong-value",
    "const": "wrong-value",
    "minProperties": "empty-value",
    "minItems": "empty-value",
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
    # Its own types are unions of all that JSON can hold, which helps nobody here.
    validator: Any = _validator(schema)
    if validator.is_valid(document.data):
        return []
    # Of two equal keys the first is kept: that one is checked like any other.
    known = {
        d.path
        for d in document.diagnostics
        if d.severity == "error" and d.id != "duplicate-key"
    }
    found: dict[tuple[Path, str], Diagnostic] = {}
    for error in validator.iter_errors(document.data):
        for diagnostic in _diagnostics(error, _rule(schema, error), document.name):
            if diagnostic.path not in known:
                found.setdefault((diagnostic.path, diagnostic.message), diagnostic)
    return list(found.values())


@lru_cache
def _schema(name: str) -> Any:
    path = resources.folder("spec") / f"{name}.schema.json"
    return json.loads(path.read_text(encoding="utf-8"))


@lru_cache
def _validator(name: str) -> jsonschema_rs.Draft202012Validator:
    return jsonschema_rs.Draft202012Validator(_schema(name))


def _rule(schema: str, error: Any) -> dict[str, Any]:
    """Return the part of the schema that an instance broke."""
    rule: Any = _schema(schema)
    for step in error.schema_path[:-1]:
        rule = rule[step]
    return rule if isinstance(rule, dict) else {}


def _diagnostics(error: Any, rule: dict[str, Any], file: str) -> Iterator[Diagnostic]:
    """Turn one violation into diagnostics at the key or the value that is wrong."""
    path: Path = tuple(error.instance_path)
    kind = error.kind
    if kind.name == "additionalProperties":
        for key in kind.unexpected:
            free = [k for k in rule["properties"] if k not in error.instance]
            mend = (
                did_you_mean(key, free) or f"known keys: {listed(rule['properties'])}"
            )
            place = (*path, key)
            message = f"unknown key {key!r}"
            yield Diagnostic("unknown-key", message, file, place, "key", mend)
    elif kind.name == "propertyNames":
        name, keyword = kind.error.instance, str(error.schema_path[-1])
        demand = rule.get("errorMessage") or "cannot be a key here"
        if keyword == "maxLength":
            demand = _demand(keyword, rule)
        message = f"{name!r} {demand}"
        place = (*path, name)
        yield Diagnostic("wrong-key", message, file, place, "key", _strange(name))
    elif kind.name == "required":
        yield from _missing(error, kind.property, rule, file)
    else:
        keyword = str(error.schema_path[-1])
        own = keyword in ("pattern", "enum", "const")
        words = rule.get("errorMessage") if own else None
        message = f"{_name(path)} {words or _demand(keyword, rule)}"
        if isinstance(error.instance, str | bool | int) and error.instance != "":
            message += f", not {text(error.instance)!r}"
        id = rule.get("x-id") if own else None
        id = id or _IDS.get(keyword, "wrong-form")
        if keyword == "uniqueItems":
            path = (*path, _again(error.instance))
        yield Diagnostic(id, message, file, path, mend=_mend(error.instance, rule))


def _again(items: Any) -> int:
    """Return the index of the first item that stands in the list already."""
    seen: set[str] = set()
    for number, item in enumerate(items):
        if repr(item) in seen:
            return number
        seen.add(repr(item))
    return 0


def _strange(name: str) -> str | None:
    """Point at a character that looks as if it were allowed: keys are of ASCII alone."""
    import unicodedata  # only findings need it

    sign = next((c for c in name if not c.isascii()), None)
    title = sign and unicodedata.name(sign, "no letter").lower()
    return sign and f"it holds U+{ord(sign):04X} {title}"


def _name(path: Path) -> str:
    """Name a place for a sentence: the key, and for list items the list's key."""
    words = [p for p in path if isinstance(p, str)]
    if not words:
        return "the document"
    return f"an entry of {words[-1]}" if isinstance(path[-1], int) else words[-1]


def _missing(
    error: Any, key: str, rule: dict[str, Any], file: str
) -> Iterator[Diagnostic]:
    """Report a missing key, unless a misspelt one stands in its place."""
    path: Path = tuple(error.instance_path)
    strange = [k for k in error.instance if k not in rule.get("properties", {})]
    if any(did_you_mean(k, [key]) for k in strange):
        return
    askers = rule.get("dependentRequired", {}).items()
    because = [k for k, needed in askers if k in error.instance and key in needed]
    yield Diagnostic(
        "missing-key",
        f"{because[0] if because else _name(path)} needs {key!r}",
        file,
        (*path, *because[:1]),
        on="key",
        mend=f"add {key}: …",
    )


def _demand(keyword: str, rule: dict[str, Any]) -> str:
    """Say in words what a keyword demands."""
    value = rule[keyword]
    match keyword:
        case "type":
            kinds = value if isinstance(value, list) else [value]
            if "string" in kinds:  # where text is wanted any plain scalar is text
                kinds = [k for k in kinds if k in ("array", "object")]
                return f"must be {listed(['text', *(_KINDS[k] for k in kinds)])}"
            return f"must be {listed(_KINDS[k] for k in kinds)}"
        case "enum":
            return f"must be {listed(text(v) for v in value)}"
        case "const":
            return f"must be {text(value)}"
        case "minItems" | "minProperties":
            return "must not be empty"
        case "maxLength":
            return f"must have at most {value} characters"
        case "maxProperties":
            return "must have one key"
        case "uniqueItems":
            return "must not repeat an entry"
        case "minimum" | "maximum":
            low, high = rule.get("minimum"), rule.get("maximum")
            return f"must be {low} or more" if high is None else f"must be {low}-{high}"
        case _:
            return f"breaks the rule {keyword}"


_SPELT_OUT = {"yes": "true", "on": "true", "y": "true", "no": "false", "off": "false"}
_SPELT_OUT |= {"n": "false", "never": "false", "always": "true", "none": "unset"}
_SPELT_OUT |= {"maybe": "unset", "unknown": "unset"}


def meant(word: str, words: Sequence[str]) -> str | None:
    """Return "did you mean X?" for what one of the words may be called too."""
    found = _SPELT_OUT.get(word.casefold(), word.casefold())
    if found not in words:
        return did_you_mean(word, words)
    quoted = ", without quotes" if word in words else ""
    return f"did you mean {found}{quoted}?"


def _mend(value: Any, rule: dict[str, Any]) -> str | None:
    """Guess what was meant by a wrong value."""
    if isinstance(value, list) and value and rule.get("type") == "object":
        first = value[0]
        if isinstance(first, dict):
            return f"take the dashes away: {next(iter(first))}: …"
        return None if isinstance(first, list) else f"write {{{text(first)}: …}}"
    if isinstance(value, dict | list):
        return None
    if "x-write" in rule:
        return f"write {rule['x-write'].replace('…', text(value), 1)}"
    if rule.get("type") == "object" and len(rule.get("required", ())) == 1:
        return f"write {{{rule['required'][0]}: {text(value)}}}"
    if not isinstance(value, str):
        return None
    if rule.get("type") == "integer" and value.isdecimal():
        return f"did you mean {value}, without quotes?"
    words: list[Any] = rule.get("enum", [])
    if rule.get("type") == "boolean":
        words = [True, False]
    elif "const" in rule:
        words = [rule["const"]]
    return meant(value, [text(w) for w in words])
