"""All that is known of a code, as an answer in the terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from .diagnostics import listed
from .escapes import fold, printable
from .schema import text as value_text
from .selection import Found
from .view import CodeView, FieldView, View
from .words import (
    class_names,
    field_names,
    local_lines,
    passing_words,
    type_words,
    value_words,
    verdict_lines,
)

Style = Callable[[str, str], str]
"""Colours a text by its role, such as heading."""


def explained(
    found: Sequence[Found],
    width: int | None = None,
    style: Style = lambda role, text: text,
) -> Iterator[str]:
    """Yield, line by line, what catalogues say of codes; nothing in it is an order.

    Lines are broken at `width`, where there is one.
    """
    for number, (view, code) in enumerate(found):
        if number:
            yield ""
        titles = [view.catalogue.groups[g].title for g in code.model.groups]
        about = _plain(", ".join((view.title, *titles)))
        yield f"{style('heading', code.key)} ({about})"
        yield ""
        for paragraph in _happened(view, code):
            yield from _wrapped("  ", paragraph, width)
        yield ""
        yield from _table(list(_rows(view, code)), width, style)


def _happened(view: View, code: CodeView) -> Iterator[str]:
    """Yield what a code means, and whether it is still in use."""
    if code.meaning:
        yield code.meaning
    yield from local_lines(view, code, "meaning")
    if passing := passing_words(code):
        yield passing
    if code.model.deprecated and code.model.deprecated.sunset:
        yield f"It may go after {code.model.deprecated.sunset}."
    if code.model.internal:
        yield "It is internal: the published pages leave it out."


def _rows(view: View, code: CodeView) -> Iterator[tuple[str, list[str]]]:
    """Yield what each row of the answer is called, and its lines."""
    model = code.model
    yield (
        "What to do",
        [*((code.hint,) if code.hint else ()), *local_lines(view, code, "hint")],
    )
    yield "Retry", list(_retry(code))
    yield "HTTP status", [str(model.http)] if model.http else []
    message = (model.message or "").replace("{{", "{").replace("}}", "}")
    yield "Message", [message] if message else []
    yield "Carries", [_field(view, code, field) for field in code.fields]
    yield "Class", _class_lines(view, code)
    yield "Raised by", list(_raised(view, code))
    yield "Spelt", list(_spelt(view, code))
    for key, value in model.attributes.items():
        yield key, [value_words(value)]
    yield "Since", [model.since] if model.since else []
    yield "See", [*((code.docs_url,) if code.docs_url else ()), *model.links]


def _retry(code: CodeView) -> Iterator[str]:
    yield from verdict_lines(code.verdict)
    if code.control:
        yield "It is control flow, and passes through every retry layer."
    elif code.pinned:
        yield "It is pinned: no stamp changes it."


def _field(view: View, code: CodeView, field: FieldView) -> str:
    """Say one thing that a code carries: its name everywhere, type and meaning."""
    kind = f"{type_words(field.type, view)}{', optional' if field.optional else ''}"
    if field.key in code.model.const:
        kind += f", always `{value_text(code.model.const[field.key])}`"
    spelt = "".join(f"; {name}" for name in field_names(view, field, code))
    about = f": {field.meaning}" if field.meaning else ""
    return f"`{field.key}` ({kind}{spelt}){about}"


def _class_lines(view: View, code: CodeView) -> list[str]:
    """Return the classes of a code: once where languages agree, else for each."""
    named = _by_language(view, code, lambda local: local.class_names)
    if len(named) < 2:
        return [", ".join(class_names(view, code))] if any(named) else []
    return [f"{who}: {', '.join(names)}" for names, who in named.items() if names]


def _raised(view: View, code: CodeView) -> Iterator[str]:
    """Yield who raises a code in which languages, and where nobody does, and why."""
    if code.model.retired:
        yield "nobody any more"
    for names, who in _by_language(view, code, lambda local: local.raised_by).items():
        yield f"{who}: {', '.join(names)}" if names else who
    for name, reason in code.absent.items():
        title = view.languages[name].language.title
        yield f"{title}: never raised, only read ({reason})"


def _by_language(
    view: View, code: CodeView, what: Callable[[CodeView], tuple[str, ...]]
) -> dict[tuple[str, ...], str]:
    """Return the titles of the languages that raise a code, by what they have of it."""
    found: dict[tuple[str, ...], list[str]] = {}
    for local in view.languages.values():
        if local.code[code.key].is_raised:
            found.setdefault(what(local.code[code.key]), []).append(
                local.language.title
            )
    return {names: ", ".join(titles) for names, titles in found.items()}


def _spelt(view: View, code: CodeView) -> Iterator[str]:
    """Yield each text that stands for a code, and where, unless there is only one."""
    model = code.model
    if len(code.spellings) > 1:
        places: dict[str, list[str]] = {s: [] for s in code.spellings}
        for name, local in view.languages.items():
            reason = model.languages[name].reason if name in model.languages else ""
            spelling = local.code[code.key].spelling
            why = f" ({reason})" if reason and spelling != code.key else ""
            places[spelling].append(f"{local.language.title}{why}")
        for spelling, where in places.items():
            yield f"`{spelling}` in {listed(where or ['the catalogue'], 'and')}"
    if model.wire is not None:
        yield f"`{model.wire}` on the wire"
    yield from (f"`{alias}`, which is only read" for alias in model.aliases)


def _table(
    rows: Sequence[tuple[str, list[str]]], width: int | None, style: Style
) -> Iterator[str]:
    """Yield the rows that have lines, each under the one before it."""
    filled = [(f"{_plain(label)}:", lines) for label, lines in rows if lines]
    room = max(len(label) for label, _ in filled)
    for label, lines in filled:
        head = f"  {style('heading', label)}{' ' * (room - len(label) + 1)}"
        for line in lines:
            first, *rest = _wrapped(" " * (room + 3), line, width)
            yield head + first.lstrip(" ")
            yield from rest
            head = " " * (room + 3)


def _wrapped(indent: str, text: str, width: int | None) -> list[str]:
    """Return the text in lines of no more than `width` columns, words left whole."""
    text = _plain(text)
    if width is None:
        return [indent + text]
    room = max(width - len(indent), 20)
    if text.isascii():
        from textwrap import wrap

        lines = wrap(text, room, break_long_words=False, break_on_hyphens=False)
    else:  # some scripts put no spaces between words
        from wcwidth import wrap  # slower to import than most catalogues are to read

        lines = wrap(text, room, break_on_hyphens=False)
    return [indent + line for line in lines or [""]]


def _plain(text: str) -> str:
    """Return the text as one line in which nothing is an order to a terminal."""
    return printable(fold(text))
