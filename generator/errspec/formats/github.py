"""Commands of GitHub's workflows: each finding is a note at its line of a pull request."""

from __future__ import annotations

from ..source import visible
from .finding import Finding
from .report import Report, more

MOST = 100
"""Findings that are told; GitHub shows ten errors and ten warnings of a step."""

_MESSAGE = "%\r\n"
_PROPERTY = "%\r\n:,"


def text(report: Report) -> str:
    """Return a line for each finding, and for what else there is to say."""
    listed = report.listed(MOST)
    lines = [_finding(one) for one in listed]
    if rest := more(report, len(listed)):
        lines.append(_command("notice", f"errspec {report.command}: {rest}"))
    if report.failure:
        lines.append(_command("error", report.failure))
    return "".join(f"{line}\n" for line in lines)


def _finding(one: Finding) -> str:
    place = one.place
    where: dict[str, object] = {"file": place.file}
    if place.line is not None:
        where |= {"line": place.line, "endLine": place.end_line}
    if (columns := place.utf16()) and columns[0] < columns[1]:
        where |= {"col": columns[0], "endColumn": columns[1]}
    where["title"] = f"errspec {one.id}"
    return _command(one.severity, one.message, one.mend, **where)


def _command(name: str, message: str, mend: str | None = None, **where: object) -> str:
    """Return a command, of whose texts nothing can be another."""
    where = where or {"title": "errspec"}
    shown = "\n".join(visible(line) for line in (message, mend) if line)
    properties = ",".join(
        f"{key}={_escaped(visible(str(value)), _PROPERTY)}"
        for key, value in where.items()
    )
    return f"::{name} {properties}::{_escaped(shown, _MESSAGE)}"


def _escaped(text: str, characters: str) -> str:
    return "".join(f"%{ord(c):02X}" if c in characters else c for c in text)
