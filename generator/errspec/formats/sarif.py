"""SARIF 2.1.0, as GitHub's code scanning and other viewers of analyses read it."""

from __future__ import annotations

import os
import pathlib
import urllib.parse
from typing import Any

from .. import __version__
from ..source import visible
from .finding import Finding, Place
from .json import dumped
from .report import Report, more

_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
    "sarif-schema-2.1.0.json"
)
_TOP = "%SRCROOT%"
_FINGERPRINT = "errspec/v1"


def text(report: Report) -> str:
    """Return the report as a SARIF log with one run."""
    listed = report.listed()
    ids = sorted({one.id for one in listed})
    numbers = {id: number for number, id in enumerate(ids)}
    driver = {
        "name": "errspec",
        "version": __version__,
        "rules": [_rule(id, report.purpose(id)) for id in ids],
    }
    run = {
        "tool": {"driver": driver},
        "automationDetails": {"id": f"errspec-{report.command}/"},
        "columnKind": "utf16CodeUnits",
        "originalUriBaseIds": {
            _TOP: {"description": {"text": "The top of the repository."}}
        },
        "invocations": [_invocation(report, more(report, len(listed)))],
        "results": [_result(one, numbers[one.id]) for one in listed],
    }
    return dumped({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]})


def _rule(id: str, purpose: str) -> dict[str, Any]:
    told = {"text": purpose}
    return {
        "id": id,
        "name": "".join(word.capitalize() for word in id.split("-")),
        "shortDescription": told,
        "fullDescription": told,
        "help": told,
    }


def _invocation(report: Report, rest: str | None) -> dict[str, Any]:
    notes = []
    if rest:
        notes.append({"level": "warning", "message": _message(rest)})
    if report.failure:
        notes.append({"level": "error", "message": _message(report.failure)})
    return {
        "executionSuccessful": report.exit_code < 2,
        "exitCode": report.exit_code,
        "toolExecutionNotifications": notes,
    }


def _result(one: Finding, number: int) -> dict[str, Any]:
    mend = f" ({one.mend})" if one.mend else ""
    places = [related for related in one.related if related[1].is_file]
    past = (f"; {m}: {p.file}:{p.line}" for m, p in one.related if not p.is_file)
    return {
        "ruleId": one.id,
        "ruleIndex": number,
        "level": one.severity,
        "message": _message("".join([one.message, mend, *past])),
        "locations": [_location(one.place)],
        "relatedLocations": [
            _location(place) | {"id": id, "message": _message(message)}
            for id, (message, place) in enumerate(places, 1)
        ],
        "partialFingerprints": {_FINGERPRINT: one.fingerprint},
        "properties": {"path": [*map(str, one.path)], "facts": dict(one.facts)},
    }


def _message(text: str) -> dict[str, str]:
    """Return a message in which no text is a link."""
    return {"text": visible(text).replace("](", "] (")}


def _location(place: Place) -> dict[str, Any]:
    """Return a location, which always has a line: viewers want one."""
    region: dict[str, Any] = {"startLine": place.line or 1}
    if place.end_line:
        region["endLine"] = place.end_line
    if columns := place.utf16():
        region |= {"startColumn": columns[0], "endColumn": columns[1]}
    return {
        "physicalLocation": {"artifactLocation": _artifact(place), "region": region}
    }


def _artifact(place: Place) -> dict[str, str]:
    path = pathlib.PurePath(place.file)
    if path.is_absolute():
        return {"uri": path.as_uri()}
    quoted = urllib.parse.quote(os.fsencode(path.as_posix()))
    return {"uri": quoted, "uriBaseId": _TOP}
