"""Lists: codes as lines for people, JSON for programs and Markdown; the packs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from .escapes import display_width, fold, printable, reach
from .packs import Library
from .project import Loaded, Project
from .resolved import resolved_code
from .selection import Found
from .view import CodeView, View
from .words import short_verdict, verdict_lines

Style = Callable[[str, str], str]
"""Colours a text by its role: heading, faint, or a short verdict."""

_HEADINGS = ("code", "retry", "raised in", "meaning")
_CHOICES = ((0, 1, 2, 3), (0, 1, 3), (0, 1))
"""Which columns to show: the first choice that a terminal has room for."""
_LEAST = 24
"""Columns below which a meaning that is cut off says nothing."""


def table(
    view: View,
    codes: Sequence[CodeView],
    width: int | None = None,
    style: Style = lambda role, text: text,
) -> Iterator[str]:
    """Yield a line a code, under a heading, then how many codes each language raises.

    With a `width` the columns have headings, and are cut off or left out to fit in.
    """
    yield style("heading", printable(f"{view.title} ({view.id} {view.version})"))
    rows = [_HEADINGS] if width is not None else []
    rows += [
        (
            code.key,
            short_verdict(code.verdict),
            ", ".join(_raising(view, code)) or "retired",
            printable(fold(code.meaning)),
        )
        for code in codes
    ]
    widths = [max(map(len, column)) for column in list(zip(*rows, strict=True))[:3]]
    columns, room = _fitting(widths, width)
    for row in rows:
        line = ""
        for column in columns:
            role = row[1] if column == 1 else "plain"
            cell = row[column] if column < 3 else _cut(row[column], room)
            padding = " " * (widths[column] - len(cell)) if column < 3 else ""
            line += f"  {style('faint' if row is _HEADINGS else role, cell)}{padding}"
        yield line.rstrip()
    yield _counts(view, codes)


def _fitting(
    widths: Sequence[int], width: int | None
) -> tuple[tuple[int, ...], int | None]:
    """Return which columns are shown, and how wide the meaning may be."""
    for columns in _CHOICES:
        if width is None:
            return columns, None
        room = width - sum(2 + widths[c] for c in columns if c < 3) - 2
        if room >= _LEAST:
            return columns, room
    return _CHOICES[-1], None


def _cut(text: str, room: int | None) -> str:
    """Return what of a text goes into so many columns; a mark tells that it is cut."""
    if room is None or display_width(text) <= room:
        return text
    return f"{text[: reach(text, 0, room - 1)].rstrip()}…"


def _counts(view: View, codes: Sequence[CodeView]) -> str:
    raised = (
        f"{sum(local.code[c.key].is_raised for c in codes)} raised in {local.language.title}"
        for local in view.languages.values()
    )
    whole = len(view.codes)
    some = f"{len(codes)} of " if len(codes) != whole else ""
    return f"{some}{whole} code{'s' * (whole != 1)}: {', '.join(raised)}"


def _raising(view: View, code: CodeView) -> list[str]:
    return [n for n, local in view.languages.items() if local.code[code.key].is_raised]


def json(found: Sequence[Found]) -> str:
    """Return codes as one JSON array; `errspec schema codes` describes it."""
    from .formats.json import dumped  # with all formats, of which text needs none

    return dumped(
        [
            {
                "catalogue": {
                    "id": view.id,
                    "title": view.title,
                    "version": view.version,
                    "spec": view.spec,
                },
                **resolved_code(view, code.model),
                "verdict_words": verdict_lines(code.verdict),
            }
            for view, code in found
        ]
    )


def markdown(project: Project, one: Loaded, codes: Sequence[CodeView]) -> str:
    """Return the table of codes that `errspec inject` would write into a page."""
    return project.renderer.region(project.job(one, "markdown"), "table", codes)


def packs(library: Library) -> Iterator[str]:
    """Yield each pack with what it writes, and its options with their defaults."""
    for name in library.names():
        pack = library.pack(name)
        yield f"{name}: {pack.meaning}"
        for option in pack.options.values():
            about = f"  {option.meaning}" if option.meaning else ""
            yield f"  {option.name} = {option.default!r}{about}"
