"""JSON for programs; `errspec schema findings` describes it."""

from __future__ import annotations

import json
from typing import Any

from .. import __version__
from .finding import Finding, Place
from .report import Report

VERSION = 1


def text(report: Report) -> str:
    """Return the report as one JSON document, in ASCII."""
    listed = report.listed()
    return dumped(
        {
            "format": VERSION,
            "errspec": __version__,
            "command": report.command,
            "exit_code": report.exit_code,
            "failure": report.failure,
            "count": len(report.found),
            "errors": report.count("error"),
            "warnings": report.count("warning"),
            "truncated": len(listed) < len(report.found),
            "findings": [_finding(one) for one in listed],
        }
    )


def dumped(data: Any) -> str:
    """Return data as JSON that means the same to everyone on its way.

    ASCII holds no order to a terminal, and comes whole through any console; some CI
    servers take two number signs for an order wherever they stand.
    """
    plain = json.dumps(data, ensure_ascii=False)
    try:
        plain.encode()
    except UnicodeEncodeError:  # half a character, which a file's name may have
        data = json.loads(plain.encode("utf-8", "replace"))
    return json.dumps(data, indent=2).replace("##", r"#\u0023") + "\n"


def _finding(one: Finding) -> dict[str, Any]:
    return {
        "id": one.id,
        "severity": one.severity,
        "message": one.message,
        "mend": one.mend,
        **_place(one.place),
        "path": list(one.path),
        "related": [
            {"message": message, **_place(place)} for message, place in one.related
        ],
        "fingerprint": one.fingerprint,
        "facts": dict(one.facts),
    }


def _place(place: Place) -> dict[str, Any]:
    return {
        "file": place.file,
        "line": place.line,
        "column": place.column,
        "end_line": place.end_line,
        "end_column": place.end_column,
    }
