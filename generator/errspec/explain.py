"""Answers in the terminal: the list of codes, one code explained, the packs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .diagnostics import UsageError, did_you_mean
from .packs import Library
from .view import CodeView, View
from .words import (
    class_names,
    difference_lines,
    passing_words,
    raised_lines,
    short_verdict,
    value_words,
    verdict_lines,
)


def table(view: View) -> Iterator[str]:
    """Yield a line a code, under a heading, then how many codes each language raises."""
    yield f"{view.title} ({view.id} {view.version})"
    rows = [
        (c.key, short_verdict(c.verdict), ", ".join(_raising(view, c)) or "retired")
        for c in view.codes
    ]
    widths = [max((len(row[i]) for row in rows), default=0) for i in range(2)]
    for key, verdict, languages in rows:
        yield f"  {key:{widths[0]}}  {verdict:{widths[1]}}  {languages}".rstrip()
    counts = (
        f"{len(local.raised)} raised in {local.language.title}"
        for local in view.languages.values()
    )
    codes = f"{len(view.codes)} code{'s' * (len(view.codes) != 1)}"
    yield f"{codes}: {', '.join(counts)}"


def _raising(view: View, code: CodeView) -> list[str]:
    return [n for n, local in view.languages.items() if local.code[code.key].is_raised]


def explained(views: Sequence[View], text: str) -> Iterator[str]:
    """Yield what the catalogues say of a code, under any spelling, alias or wire value.

    UsageError where none of them knows it.
    """
    found = [(v, c) for v in views for c in v.codes if text in _texts(c)]
    if not found:
        known = [t for v in views for c in v.codes for t in _texts(c)]
        help = did_you_mean(text, known) or "errspec list shows all codes"
        raise UsageError(f"no code is spelt {text!r}: {help}")
    for number, (view, code) in enumerate(found):
        if number:
            yield ""
        yield from _code(view, code)


def _texts(code: CodeView) -> tuple[str, ...]:
    wire = () if code.model.wire is None else (str(code.model.wire),)
    return (*code.spellings, *code.model.aliases, *wire)


def _code(view: View, code: CodeView) -> Iterator[str]:
    model = code.model
    titles = [view.catalogue.groups[g].title for g in model.groups]
    yield f"{code.key} ({', '.join([view.title, *titles])})"
    yield ""
    if code.meaning:
        yield f"  {code.meaning}"
    if code.hint:
        yield f"  What to do: {code.hint}"
    yield ""
    first, *others = verdict_lines(code.verdict)
    pinned = " (control flow: passes through every retry layer)" if code.control else ""
    pinned = pinned or (" (pinned)" if code.pinned else "")
    yield f"  Retry: {first}{pinned}"
    yield from (f"         {line}" for line in others)
    if model.http is not None:
        yield f"  HTTP status: {model.http}"
    for field in code.fields:
        optional = " (optional)" if field.optional else ""
        about = f": {field.meaning}" if field.meaning else ""
        yield f"  Carries {field.key}{optional}{about}"
    if names := class_names(view, code):
        yield f"  Class: {', '.join(names)}"
    yield from (f"  Raised by {line}" for line in raised_lines(view, code))
    yield from (f"  {line}" for line in difference_lines(view, code))
    if len(code.spellings) > 1 or model.aliases:
        yield f"  Also read as: {', '.join([*code.spellings[1:], *model.aliases])}"
    for key, value in model.attributes.items():
        yield f"  {key}: {value_words(value)}"
    if passing := passing_words(code):
        yield f"  {passing}"
    yield from (f"  See {link}" for link in model.links)
    if code.docs_url:
        yield f"  See {code.docs_url}"


def packs(library: Library) -> Iterator[str]:
    """Yield each pack with what it writes, and its options with their defaults."""
    for name in library.names():
        pack = library.pack(name)
        yield f"{name}: {pack.meaning}"
        for option in pack.options.values():
            about = f"  {option.meaning}" if option.meaning else ""
            yield f"  {option.name} = {option.default!r}{about}"
