"""Checks the forms and patterns of language and markup files where they are read.

A form is filled in by `str.format`, which can do more than any file needs: reach into
what it is given, and make a text of any width. What passes here is harmless, and fits
what it will be filled with.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from .diagnostics import Diagnostic, Path
from .schema import text
from .source import Document

MAX_CHARACTER = 64
"""How long a form may be that stands for a few characters."""
MAX_FORM = 400
MAX_TIMES = 4
"""How often a form may hold the same value: what it makes grows by that."""
_ONCE = ("item", "items")  # these nest: twice would double at each level

_PART = re.compile(r"\{\{|\}\}|\{(?P<name>\w*)(?P<spec>:[^{}]*)?\}|(?P<odd>[{}])")
_NUMBER = re.compile(r":0?[1-9]?[dxX]?", re.ASCII)  # at most nine columns
_CHARACTER = ("0",)


def check(document: Document, kind: str) -> list[Diagnostic]:
    """Return what is wrong with the forms of a language, a markup or a pack."""
    data: Any = document.data
    finders = {"language": _language, "markup": _markup, "pack": _pack}
    found = finders[kind](data)
    return [
        Diagnostic(id, message, document.name, path, "key" if is_key else "value")
        for id, message, path, is_key in found
    ]


_Fault = tuple[str, str, Path, bool]


def _language(data: Mapping[str, Any]) -> Iterator[_Fault]:
    yield from _forms(data, (), ("escape",), ("name",))
    yield from _characters(data, ("strings",))
    yield from _table(data, ("strings", "escapes"))
    for place in ("line", "doc"):
        for table in ("escapes", "starts"):
            yield from _table(data, ("comments", place, table))
    yield from _forms(data, ("literals",), ("list", "one"), ("items",))
    for key in ("types", "input_types"):
        kinds = [kind for kind in _at(data, (key,)) if kind != "optional"]
        yield from _forms(data, (key,), kinds, ("item", "name"))
        yield from _forms(data, (key,), ("optional",), ("item",))


def _markup(data: Mapping[str, Any]) -> Iterator[_Fault]:
    yield from _characters(data, ())
    for name in data["escapes"]:
        yield from _table(data, ("escapes", name))
    for name, place in data["places"].items():
        path = ("places", name, "code")
        yield from _forms(data, path, ("verbatim", "escaped"), _CHARACTER)
        pattern = place.get("code", {}).get("unless")
        if pattern is not None and (fault := _pattern_fault(text(pattern))):
            yield "wrong-pattern", fault, (*path, "unless"), False
        for number, table in enumerate(place["escapes"]):
            if table not in data["escapes"]:
                fault = f"there is no table {table!r} under escapes"
                yield "wrong-value", fault, ("places", name, "escapes", number), False


def _pack(data: Mapping[str, Any]) -> Iterator[_Fault]:
    form = text(data.get("skip_mark", ""))
    for name in ("{line}", "{indent}"):
        if form.count(name) > MAX_TIMES:
            fault = f"skip_mark holds {name} more than {MAX_TIMES} times"
            yield "wrong-form", fault, ("skip_mark",), False
    if len(form) > MAX_FORM:
        fault = f"skip_mark is longer than {MAX_FORM} characters"
        yield "wrong-form", fault, ("skip_mark",), False


def _at(data: Any, path: Path) -> Mapping[str, Any]:
    """Return a section; an empty one where the file has none."""
    for key in path:
        data = data.get(key, {})
    found: Mapping[str, Any] = data
    return found


def _characters(data: Any, path: Path) -> Iterator[_Fault]:
    """Check the forms of single characters; those that are given a number are three."""
    section = _at(data, path)
    for key in ("quote_escape", "bmp", "astral", "control"):
        if key in section:
            form, numbers = text(section[key]), key != "quote_escape"
            if fault := _fault(form, _CHARACTER, MAX_CHARACTER, numbers=numbers):
                yield "wrong-form", fault, (*path, key), False


def _table(data: Any, path: Path) -> Iterator[_Fault]:
    """Check a table of patterns and forms."""
    for pattern, form in _at(data, path).items():
        if fault := _pattern_fault(pattern):
            yield "wrong-pattern", fault, (*path, pattern), True
            continue
        groups = [str(n) for n in range(1 + re.compile(pattern).groups)]
        if fault := _fault(text(form), groups, MAX_CHARACTER):
            yield "wrong-form", fault, (*path, pattern), False


def _forms(
    data: Any, path: Path, keys: Iterable[str], known: Collection[str]
) -> Iterator[_Fault]:
    """Check those forms of a section that are filled with the known values."""
    section = _at(data, path)
    for key in keys:
        if key in section and (fault := _fault(text(section[key]), known, MAX_FORM)):
            yield "wrong-form", fault, (*path, key), False


def _fault(
    form: str, known: Collection[str], longest: int, *, numbers: bool = False
) -> str | None:
    """Say what is wrong with a form that is filled with the known values."""
    if len(form) > longest:
        return f"this form is longer than {longest} characters"
    used: list[str] = []
    kinds: set[str] = set()
    unnamed = 0
    for part in _PART.finditer(form):
        name, spec = part["name"], part["spec"]
        if part["odd"]:
            said = f"stands alone: write {part['odd'] * 2} for the character"
            return f"{part['odd']!r} {said}"
        if name is None:
            continue
        kinds.add("{}" if not name else "{0}" if name.isdigit() else "name")
        if {"{}", "{0}"} <= kinds:
            return "{} and {0} cannot stand in one form"
        if not name:
            name, unnamed = str(unnamed), unnamed + 1
        if name not in known:
            shown = ", ".join(f"{{{each}}}" for each in known)
            return f"nothing fills {part[0]!r} in this form: there is {shown}"
        if spec is not None and not (numbers and _NUMBER.fullmatch(spec)):
            allowed = "{:x} or {:04x}, at most nine columns" if numbers else "no width"
            return f"{part[0]!r} asks for more than a form may: {allowed}"
        used.append(name)
        most = 1 if name in _ONCE else MAX_TIMES
        if used.count(name) > most:
            return f"{part[0]!r} stands in this form more than {most} times"
    return None


def _pattern_fault(pattern: str) -> str | None:
    """Say why a pattern cannot be one of several that are tried at once."""
    try:
        named = re.compile(pattern).groupindex
        re.compile(f"(?:{pattern})()")
    except (re.error, RecursionError, OverflowError) as error:
        return f"this is no regular expression: {error}"
    if named or re.search(r"(?<!\\)(\\\\)*\\[1-9]|\(\?\(", pattern):
        return "a pattern can name no group, and refer to none"
    return None
