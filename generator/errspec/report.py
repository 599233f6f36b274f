"""Text of what errspec has to say: diagnostics, what was written, what has drifted."""

from __future__ import annotations

import pathlib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from . import output, source
from .diagnostics import Diagnostic, Path, listed
from .output import Change, Plan

MOST = 100
"""Diagnostics shown in one run; of the rest only the number."""

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.:-]*")
_TOLD = {
    "missing": "missing",
    "unfilled": "not filled in yet",
    "outdated": "outdated: the spec moved",
    "mixed-endings": "mixed line endings",
    "conflicted": "full of merge conflicts",
    "edited": "edited by hand",
    "left-over": "left over: nothing generates it any more",
    "left-over-edited": "left over and edited by hand",
    "stray": "stray: errspec did not write it",
}
Style = Callable[[str, str], str]
"""Colours a text by its role: place, error, warning, note or caret."""

_DID = {"write": "wrote", "delete": "deleted", "refuse": "overwrote"}
_WOULD = {
    "write": "would write",
    "delete": "would delete",
    "refuse": "would overwrite",
}


def diagnostics(
    found: Sequence[Diagnostic], documents: Iterable[source.Document], style: Style
) -> Iterator[str]:
    """Yield each diagnostic with its line and caret, then a count of the errors."""
    by_name = {d.name: d for d in documents}
    for diagnostic in found[:MOST]:
        document = by_name.get(diagnostic.file)
        yield source.show(diagnostic, document, style, by_name)
    if len(found) > MOST:
        yield f"… {len(found) - MOST} more"
    errors = sum(d.severity == "error" for d in found)
    if errors:
        yield f"{errors} error{'s' * (errors > 1)}"


def warnings(plan: Plan) -> list[str]:
    """Return what is odd about the output folder."""
    kept = (c.shown for c in plan.changes if c.state == "left-over-edited")
    return [
        *(f"warning: {w}" for w in plan.warnings),
        *(
            f"warning: {path.as_posix()} is {_TOLD['left-over-edited']}"
            for path in kept
        ),
    ]


def pending(plan: Plan, force: bool) -> list[Change]:
    """Return the changes that `apply` would carry out; raises what it would raise."""
    if not force:
        output.refuse_edited(plan)
    acts = ("write", "delete", "refuse") if force else ("write", "delete")
    return [c for c in plan.changes if output.ACTIONS[c.state] in acts]


def written(plan: Plan, done: Iterable[Change], dry_run: bool) -> Iterator[str]:
    """Yield a line for each file that was changed, or would be, and their number."""
    count = 0
    for change in done:
        if change.path == plan.manifest.path:
            continue
        count += 1
        verb = (_WOULD if dry_run else _DID)[output.ACTIONS[change.state]]
        yield f"{verb} {change.shown.as_posix()}"
    fine = sum(c.state == "fine" for c in plan.changes)
    changed = "would change" if dry_run else "changed"
    yield f"{count or 'no'} file{'s' * (count != 1)} {changed}, {fine} already right"


def drift(plan: Plan, origins: Origins, diff: bool, generate: str) -> Iterator[str]:
    """Yield what differs, each file with its diff and the spec's line, and the mend.

    `generate` is the command that writes what was compared.
    """
    for change in plan.changes:
        if change.state == "fine":
            continue
        yield f"{change.shown.as_posix()}: {told(change)}"
        if diff and change.new is not None and change.old is not None:
            yield from _hunks(change, origins)
    if plan.drift == (plan.manifest,):
        yield f"{plan.manifest.shown.as_posix()}: {told(plan.manifest)}"
    counts = Counter(c.state for c in plan.changes)
    strays = f", {counts['stray']} stray" if counts["stray"] else ""
    if plan.drift:
        count = len(plan.drift)
        differ = f"{count} files differ" if count > 1 else "1 file differs"
        yield f"{differ}, {counts['fine']} fine{strays}; mend: {mend(plan.out, plan.changes, generate)}"
    else:
        yield f"{counts['fine']} files are what the spec says{strays}"


def told(change: Change) -> str:
    """Return what is the matter with a file that differs."""
    only = ", only its formatting" if _is_reformatted(change) else ""
    return f"{_TOLD[change.state]}{only}"


def _is_reformatted(change: Change) -> bool:
    """Tell whether an edit is a formatter's: white space, and dashes below a table's head."""
    if (
        change.state not in ("edited", "outdated")
        or change.old is None
        or change.new is None
    ):
        return False
    old, new = (re.sub("-{3,}", "-", text) for text in (change.old, change.new))
    return "".join(old.split()) == "".join(new.split())


def mend(out: pathlib.Path, changes: Sequence[Change], generate: str) -> str:
    """Return what mends files that differ."""
    states = {c.state for c in changes}
    edited = [c for c in changes if c.state == "edited"]
    paged = any(c.page for c in edited)
    if edited and all(map(_is_reformatted, edited)):
        where = {c.shown.as_posix() if c.page else out.as_posix() for c in edited}
        return f"keep formatters off {listed(sorted(where), 'and')}, then {generate} --force"
    if edited:
        regions = ", or out of the regions" * paged
        return f"move the edits into the spec{regions}, then {generate} --force"
    if states & {"left-over-edited"} and not states & {
        "missing",
        "outdated",
        "left-over",
    }:
        return "delete the left-over files, or keep your edits elsewhere"
    return generate


def _hunks(change: Change, origins: Origins) -> Iterator[str]:
    """Yield a file's diff, each hunk with the line of the spec that it comes from."""
    diff = output.difference(change)
    lines = (change.new or "").split("\n")
    for hunk in diff.hunks:
        origin = origins.at(change.path, hunk.line)
        yield f"  {hunk.header}  {origin.of(lines, hunk.line) if origin else ''}".rstrip()
        yield from (f"  {source.visible(line)}" for line in hunk.lines)
    if diff.more:
        yield f"  … {diff.more:,} more lines"


class Origin(Struct, frozen=True):
    """Where the names that a package or a region shows stand in its spec.

    `first` is the line, from 0, at which it begins in its file.
    """

    document: source.Document
    paths: Mapping[str, Path]
    first: int = 0

    def of(self, lines: Sequence[str], number: int) -> str:
        """Return the spec's line of the nearest name at or above a line of output."""
        place = self.place(lines, number)
        return f"{self.document.name}:{place.line}" if place else self.document.name

    def place(self, lines: Sequence[str], number: int) -> source.Place | None:
        """Return the place in the spec of the nearest name at or above a line."""
        for line in reversed(lines[self.first : number]):
            for word in _NAME.findall(line):
                if word in self.paths:
                    what = Diagnostic("", "", "", self.paths[word], "key")
                    return self.document.place(what)
        return None


class Origins(Struct, frozen=True):
    """Where output comes from: each package by its folder, each page line by line."""

    packages: Mapping[str, Origin]
    pages: Mapping[str, Sequence[tuple[int, Origin | None]]] = {}
    """By the page's path, from which line on what comes from where, if from a spec."""

    def at(self, path: str, number: int) -> Origin | None:
        """Return what a line of a file, counted from 1, comes from."""
        if path in self.pages:
            begun = [origin for first, origin in self.pages[path] if first < number]
            return begun[-1] if begun else None
        folders = (f for f in self.packages if path.startswith(f"{f}/"))
        return next((self.packages[folder] for folder in folders), None)
