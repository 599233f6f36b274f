"""Drift as findings: each file on disk that is not what the spec says."""

from __future__ import annotations

from collections.abc import Iterator

from .. import output, report
from ..output import Change, Plan
from .finding import Finding, Names, Place, fingerprinted

PURPOSES = {
    "drift-missing": "What the catalogues say is there as a file.",
    "drift-unfilled": "Regions of pages hold what the catalogues say.",
    "drift-outdated": "Files are what the catalogues say today.",
    "drift-mixed-endings": "A file has one kind of line ending.",
    "drift-conflicted": "A merge leaves no conflict in a generated file.",
    "drift-edited": "Generated files are not edited by hand.",
    "drift-left-over": "What nothing generates any more is deleted.",
    "drift-left-over-edited": "What nothing generates any more is deleted.",
    "drift-stray": "Folders of generated packages hold nothing else.",
    "manifest": "The manifest lists all that errspec wrote.",
}


def drift(
    plan: Plan, origins: report.Origins, generate: str, names: Names
) -> Iterator[Finding]:
    """Yield what differs, and as warnings what is only odd; see `report.drift`."""

    def file(change: Change) -> str:
        return names.file(change.shown.as_posix())

    found = [
        Finding("manifest", "warning", warning, Place(file(plan.manifest)))
        for warning in plan.warnings
    ]
    changes = [change for change in plan.changes if change.state != "fine"]
    if plan.drift == (plan.manifest,):
        changes.append(plan.manifest)
    for change in changes:
        stray = change.state == "stray"
        line, related = _places(change, origins, names)
        found.append(
            Finding(
                f"drift-{change.state}",
                "warning" if stray else "error",
                report.told(change),
                Place(file(change), line, None, line),
                None if stray else report.mend(plan.out, [change], generate),
                related=related,
                facts={"state": change.state},
            )
        )
    return fingerprinted(found)


def _places(
    change: Change, origins: report.Origins, names: Names
) -> tuple[int | None, tuple[tuple[str, Place], ...]]:
    """Return the first line on disk that differs, and where the spec says what should be."""
    line = None if change.old is None else 1
    if change.new is None:
        return line, ()
    first = 0
    if change.old is not None and (hunks := output.difference(change).hunks):
        # Up to the first line that differs both texts have the same numbers.
        first = hunks[0].line
        line = min(first, change.old.count("\n") or 1)
    origin = origins.at(change.path, first or 1)
    if origin is None:
        return line, ()
    spec = Place(names.file(origin.document.name))
    if first and (at := origin.place(change.new.split("\n"), first)):
        spec = Place(spec.file, at.line, at.column, at.line, at.end_column, at.text)
    return line, (("what the catalogue says", spec),)
