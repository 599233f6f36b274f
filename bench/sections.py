"""Results, as a table for people and as JSON: both show the same rows and keys."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

Value = str | int | float | None
Row = Mapping[str, Value]


@dataclass(frozen=True)
class Section:
    """One part of the results. The keys of a row are the columns, with their units."""

    name: str
    title: str
    rows: Sequence[Row]
    notes: tuple[str, ...] = ()


def as_json(machine: Mapping[str, Value], sections: Sequence[Section]) -> str:
    """Return results as JSON: what ran where, then a list of rows for each section."""
    found = {one.name: {"rows": one.rows, "notes": one.notes} for one in sections}
    return json.dumps({"machine": machine, **found}, indent=2)


def as_table(machine: Mapping[str, Value], sections: Sequence[Section]) -> str:
    """Return results as text in columns, which line up within a section."""
    told = ", ".join(f"{key} {value}" for key, value in machine.items())
    parts = [told, *("\n".join(_lines(one)) for one in sections)]
    return "\n\n".join(parts)


def _lines(section: Section) -> Iterator[str]:
    yield section.title
    yield from _rows(section) if section.rows else ()
    for note in section.notes:
        yield textwrap.fill(
            note,
            88,
            initial_indent="  ",
            subsequent_indent="  ",
            break_on_hyphens=False,
        )


def _rows(section: Section) -> Iterator[str]:
    columns = list(dict.fromkeys(key for row in section.rows for key in row))
    cells = [[column.replace("_", " ") for column in columns]]
    cells += [[_cell(row.get(column)) for column in columns] for row in section.rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for row in cells:
        first, *others = (
            text.ljust(width) if not at else text.rjust(width)
            for at, (text, width) in enumerate(zip(row, widths, strict=True))
        )
        yield "  " + "  ".join((first, *others)).rstrip()


def _cell(value: Value) -> str:
    """Write a figure with three digits that count, and whole above a hundred."""
    if value is None:
        return "-"
    if isinstance(value, float):
        digits = 0 if value >= 100 else 1 if value >= 10 else 2
        return f"{value:,.{digits}f}"
    return f"{value:,}" if isinstance(value, int) else value
