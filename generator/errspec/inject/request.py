"""What a marker asks for: a kind of region, a code, and arguments."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from ..diagnostics import Diagnostic, did_you_mean, listed
from .markers import Marker, Word

_FILTERS = ("catalogue", "group", "retryable", "language", "raised-by", "retired")
KINDS: Mapping[str, tuple[str, ...]] = {
    "table": (*_FILTERS, "columns"),
    "list": _FILTERS,
    "entry": ("catalogue",),
    "catalogues": (),
    "packs": (),
    "rules": (),
}
"""The kinds of regions, and the arguments that each takes."""
_SINGLE = ("catalogue", "retired")


class Request(Struct, frozen=True):
    """What is to stand in a region, if `found` is empty.

    `code` is that of an entry. `arguments` are by name; the value of each is a list
    between commas. Spans are places in the page.
    """

    kind: str
    span: tuple[int, int]
    code: Word | None
    arguments: Mapping[str, Word]
    found: tuple[Diagnostic, ...]

    def values(self, name: str) -> tuple[str, ...]:
        """Return the values of an argument; none where it is not there."""
        word = self.arguments.get(name)
        parts = word.value.split(",") if word and word.value else ()
        return tuple(part.strip() for part in parts)


def read(marker: Marker, name: str) -> Request:
    """Read what a begin asks for; diagnostics call the page `name`."""
    found: list[Diagnostic] = []

    def tell(id: str, message: str, span: tuple[int, int], mend: str | None) -> None:
        found.append(Diagnostic(id, message, name, mend=mend, span=span))

    words: list[Word] = []
    for word in marker.words():
        if isinstance(word, Word):
            words.append(word)
        else:
            tell("wrong-marker", "this is no argument", word, 'name=value or name="…"')
    kind = words.pop(0) if words and words[0].value is None else None
    if kind is None:
        if not found:
            tell(
                "wrong-marker", "this does not say what to write", marker.span, _kinds()
            )
        return Request("", marker.span, None, {}, tuple(found))
    if kind.name not in KINDS:
        mend = did_you_mean(kind.name, KINDS) or _kinds()
        tell("unknown-region", f"no region is called {kind.name!r}", kind.span, mend)
        return Request("", marker.span, None, {}, tuple(found))
    code: Word | None = None
    arguments: dict[str, Word] = {}
    for word in words:
        if word.value is None and kind.name == "entry" and code is None:
            code = word
        elif fault := _fault(kind.name, word, arguments):
            found.append(
                Diagnostic(fault[0], fault[1], name, mend=fault[2], span=word.span)
            )
        else:
            arguments[word.name] = word
    if kind.name == "entry" and code is None and not found:
        tell("wrong-marker", "this does not say which code", kind.span, "entry CODE")
    return Request(kind.name, marker.span, code, arguments, tuple(found))


def _fault(
    kind: str, word: Word, before: Mapping[str, Word]
) -> tuple[str, str, str | None] | None:
    """Return the id of what is wrong with a word, the message, and the mend."""
    known = KINDS[kind]
    if word.name not in known:
        takes = f"{kind} takes {listed(known)}" if known else f"{kind} takes none"
        mend = did_you_mean(word.name, known) or takes
        return "unknown-argument", f"no argument is called {word.name!r}", mend
    if word.name in before:
        return "repeated-argument", f"{word.name} stands here twice", "values: a,b"
    values = [value.strip() for value in (word.value or "").split(",")]
    if not all(values):
        return "empty-value", f"{word.name} has no value", f"{word.name}=…"
    if word.name in _SINGLE and len(values) > 1:
        return "wrong-value", f"{word.name} has one value", None
    if twice := next((v for v in values if values.count(v) > 1), None):
        return "repeated-value", f"{twice!r} stands in {word.name} twice", None
    if word.name == "retired" and word.value not in ("yes", "no"):
        return "wrong-value", f"retired is yes or no, not {word.value!r}", None
    return None


def _kinds() -> str:
    return f"begin with {listed(KINDS)}"
