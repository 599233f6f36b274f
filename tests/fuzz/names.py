"""Hostile texts and names, and what languages make of a name, straight from the design.

Nothing here is taken from the generator, which has to come to the same names.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

import yaml
from hypothesis import strategies as st

from support import ROOT
from test_python_text import HOSTILE, is_shown

MORE = [
    "DO NOT EDIT",
    "# fmt: on",
    "// prettier-ignore",
    "$&",
    "$1",
    "__proto__",
    "constructor",
    "toString",
    "{field}",
    "\r\n",
    "\n\n",
    "\n    ",
    " \t ",
    "`a` and `b`",
    "`x\ny`",
    "</a>",
    "\\n",
    "\\u2028",
    "{% endraw %}",
    "|\n| --- |",
    "any",
    "null",
    "08P01",
    "W" * 90,
]
pieces = st.sampled_from(HOSTILE + MORE) | st.text(
    st.characters(exclude_categories=["Cs"]), max_size=3
)
any_text = st.lists(pieces, max_size=5).map("".join)
texts = any_text.filter(is_shown)

_CODES = """
class None from match await type Self self crate super default constructor toString valueOf
hasOwnProperty prototype undefined null true false NaN eval arguments let static enum TypeError
Error Exception timeout TIMEOUT_ERROR fooBar FOOBAR foo_bar_error a A aB AB Ab a1 A_1 E.1 E-2 E:3
x.. y-- z__ NO YES ON off n Y codes CODES BY_TEXT TYPE_CHECKING Rule CodeInfo KNOWN_ERROR
ERROR ERRORS HTTP404 http_404_NOT_FOUND ok.a.b:c-d_e Promise Map JSON Any lookup init_subclass
"""
LONG = "very_long_name_that_goes_on_" * 2 + "to_seventy_c10"
_FIELDS = """
class from import is self args name stack constructor items keys get extra int str property type
object list dict bool float to_string value_of has_own_property to_json note add_note
with_traceback options cls error context info i x1 y_2 function new delete this default await
async let static yield static_cast none true false null undefined arguments eval super id status
match case overload tuple proto n0 description number symbol at length map filter
"""
_CLASSES = "A B9 X0y HttpE Fault Z ITEMS Classy Problem LookupE ErrorX Wrong ABCDef"
_GROUPS = "a class g1 default model error known items none run_time x_y_z"

field_names = (
    st.sampled_from(_FIELDS.split())
    | st.from_regex(r"[a-z][a-z0-9]{0,5}(_[a-z0-9]{1,5}){0,2}", fullmatch=True)
    | st.just(LONG)
)
class_names = st.sampled_from(_CLASSES.split()) | st.from_regex(
    r"[A-Z][A-Za-z0-9]{0,9}", fullmatch=True
)
code_keys = (
    st.sampled_from(_CODES.split())
    | st.from_regex(r"[A-Za-z][A-Za-z0-9_.:-]{0,12}", fullmatch=True)
    | st.just(LONG.upper())
)
group_names = st.sampled_from(_GROUPS.split()) | field_names


def words(name: str) -> list[str]:
    """Split a name at marks, and at humps where its case is mixed."""
    found: list[str] = []
    parts = re.findall(r"[A-Za-z0-9]+", name)
    mixed = any(part not in (part.upper(), part.lower()) for part in parts)
    for part in parts:
        start = 0
        for at in range(1, len(part)) if mixed else ():
            before, here, after = part[at - 1], part[at], part[at + 1 : at + 2]
            rises = here.isupper() and not before.isupper()
            if rises or (here.isupper() and before.isupper() and after.islower()):
                found.append(part[start:at])
                start = at
        found.append(part[start:])
    return found


def pascal(name: str, acronyms: Mapping[str, str]) -> str:
    return "".join(acronyms.get(w.upper(), w.capitalize()) for w in words(name))


def camel(name: str, acronyms: Mapping[str, str]) -> str:
    first, *rest = words(name)
    return first.lower() + pascal("_".join(rest), acronyms)


def constant(key: str) -> str:
    return "_".join(words(key)).upper()


def own_class(key: str, acronyms: Mapping[str, str]) -> str:
    """Return the name of a code's own class: POLICY_DENIED gives PolicyDeniedError."""
    parts = words(key)
    if len(parts) > 1 and parts[-1].lower() == "error":
        parts.pop()
    return pascal("_".join(parts), acronyms) + "Error"


@cache
def language(name: str) -> Any:
    """Return a language's data file: what is reserved there, and built in."""
    path = ROOT / "templates" / "languages" / f"{name}.yaml"
    return yaml.safe_load(path.read_text(encoding="utf-8"))


@cache
def reserved_types() -> frozenset[str]:
    """Return the names that no class can have in any language or pack."""
    found: set[str] = set()
    for name in ("python", "typescript"):
        data = language(name)
        found.update(map(str, [*data["reserved"], *data["builtins"]]))
        path = ROOT / "templates" / name / "pack.yaml"
        found.update(yaml.safe_load(path.read_text(encoding="utf-8"))["names"])
    return frozenset(found)


@cache
def _reserved_fields(lang: str) -> frozenset[str]:
    data = language(lang) if lang else {}
    kinds = ("reserved", "reserved_fields")
    return frozenset(str(word) for kind in kinds for word in data.get(kind, ()))


def field(name: str, lang: str, acronyms: Mapping[str, str]) -> str:
    """Return what a language calls a field; without a language it keeps its name."""
    found = camel(name, acronyms) if lang == "typescript" else name
    return found + "_" * (found in _reserved_fields(lang))
