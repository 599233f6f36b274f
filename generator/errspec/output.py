"""From rendered text to files: what stands on disk against what should, then writing.

`plan` only reads, `apply` only does what a plan says; who owns which file is decided
in `owner`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence, Set
from pathlib import Path

from msgspec import Struct

from errspec import disk, hunks, manifest
from errspec.diagnostics import OutputError
from errspec.owner import (
    ACTIONS,
    Change,
    Package,
    Page,
    State,
    change_of,
    judge,
)

__all__ = [
    "ACTIONS",
    "Change",
    "EditedError",
    "Package",
    "Page",
    "Plan",
    "State",
    "apply",
    "difference",
    "plan",
    "refuse_edited",
]


class Plan(Struct, frozen=True):
    """What `apply` would do: every path judged, in order.

    `interim` is the manifest while files are written: old and new hashes. `temporary`
    are files that a killed run left, `gone` left-over paths whose folders it may have.
    """

    out: Path
    changes: tuple[Change, ...]
    manifest: Change
    interim: str
    temporary: tuple[Path, ...]
    gone: tuple[str, ...]
    warnings: tuple[str, ...]

    @property
    def drift(self) -> tuple[Change, ...]:
        """What keeps the disk from being what the spec says; strays do not.

        MANIFEST is named only where it alone is behind, such as after a merge.
        """
        found = tuple(c for c in self.changes if c.state not in ("fine", "stray"))
        return found or tuple(c for c in (self.manifest,) if c.state != "fine")


class EditedError(OutputError):
    """Files to be written were edited by hand; nothing was written."""

    def __init__(self, changes: Sequence[Change]) -> None:
        names = "".join(f"\n  {change.shown.as_posix()}" for change in changes)
        paged = ", or out of the regions" if any(c.page for c in changes) else ""
        super().__init__(
            f"nothing was written: these are not as errspec wrote them{names}\n"
            f"move the edits into the spec or a template{paged}, "
            "or overwrite with --force"
        )
        self.changes = tuple(changes)


def plan(
    out: Path,
    packages: Sequence[Package],
    pages: Sequence[Page] = (),
    *,
    whole: bool = False,
) -> Plan:
    """Compare what stands below `out` with the packages, and pages with their regions.

    Reads, and writes nothing. Only the packages' folders are judged; `whole` says that
    these are all packages there are, so that a listed file outside of them is left over
    too. Raises OutputError for paths that clash or lead outside, and where the disk
    refuses.
    """
    rendered = _rendered(packages)
    record = disk.located(out, [manifest.NAME])[manifest.NAME]
    recorded = disk.read(out / manifest.NAME, record)
    listed, broken = manifest.parse(recorded or b"")

    apart = [package for package in packages if package.folder]
    folders = [manifest.canonical(package.folder) for package in apart]
    inside = tuple(f"{folder}/" for folder in folders)
    files_listed = {path for path in listed if not manifest.is_page(path)}
    ours = {path for path in files_listed if whole or path.startswith(inside)}
    files = disk.located(out, sorted({*rendered, *ours}))
    of_pages = manifest.page_hashes(listed)
    paged = [change_of(page, out, of_pages) for page in pages]
    _refuse_owned(paged, {manifest.NAME, *files, *folders})
    written = {path: files[path] for path in rendered}
    written |= {page.shown.as_posix(): page.real for page in paged}
    disk.refuse_shared({manifest.NAME: record} | written)

    changes = []
    for path, file in files.items():
        new = rendered.get(path)
        data = disk.read(out / path, file, wanted=new is not None)
        if data is not None or new is not None:
            state = judge(data, new, listed.get(path, frozenset()))
            old = None if data is None else manifest.decoded(data)
            changes.append(Change(path, out / path, state, old, new, file))
    known = {change.path for change in changes}
    known |= {folder for path in known for folder in manifest.above(path)}
    for package, folder in zip(apart, folders, strict=True):
        for path in disk.strays(out, folder, known, package.litter):
            file = out / path
            changes.append(Change(path, file, "stray", None, None, file))

    hashes = manifest.listing(rendered)
    hashes |= {change.path: change.page.hashes for change in paged if change.page}
    kept = listed.keys() - ours
    if whole:
        kept -= {path for path in listed.keys() - files_listed if _is_gone(out, path)}
    kept |= {change.path for change in changes if change.state == "left-over-edited"}
    clean = manifest.text({path: listed[path] for path in kept} | hashes)
    held = {record.parent, *(file.parent for file in files.values())}
    held |= {change.real.parent for change in paged}
    return Plan(
        out,
        tuple(sorted([*changes, *paged], key=lambda change: change.path)),
        _record(out, recorded, clean, record),
        manifest.text(manifest.united(listed, hashes)),
        tuple(disk.temporary(held)),
        tuple(sorted(ours - known)),
        tuple(_warnings(out, recorded, broken, [*changes, *paged])),
    )


def apply(plan: Plan, *, force: bool = False) -> tuple[Change, ...]:
    """Write and delete what the plan says, and return the changes carried out.

    Where a file was edited by hand nothing at all is written, unless `force`: raises
    EditedError. Raises OutputError, naming the file, where the disk refuses; what was
    written until then stays, and the next run takes it for its own.
    """
    if not force:
        refuse_edited(plan)
    for file in plan.temporary:
        with disk.blaming(file):
            file.unlink(missing_ok=True)

    writes = [c for c in plan.changes if ACTIONS[c.state] in ("write", "refuse")]
    deletions = [c for c in plan.changes if ACTIONS[c.state] == "delete"]
    record = plan.manifest
    recorded = record.old or ""
    # Old and new hashes before the first file: killed from here on, either is ours.
    if writes and recorded != plan.interim:
        recorded = plan.interim
        disk.write(record.shown, record.real, recorded)
    for change in writes:
        if change.page:
            _refuse_changed(change, change.page)
        disk.put(change.shown, change.real, change.data)
    for change in deletions:
        disk.delete(plan.out, change.path)
    for path in (*(change.path for change in deletions), *plan.gone):
        disk.prune(plan.out, path)
    if recorded != record.new:
        disk.put(record.shown, record.real, record.data)
    return (*writes, *deletions, *((record,) if record.state != "fine" else ()))


def refuse_edited(plan: Plan) -> None:
    """Raise EditedError where a file to be written was edited by hand."""
    edited = [c for c in plan.changes if ACTIONS[c.state] == "refuse"]
    if edited:
        raise EditedError(edited)


def difference(change: Change, *, most: int = hunks.MOST) -> hunks.Diff:
    """Return the diff from the text on disk to the rendered one."""
    return hunks.compare(change.old or "", change.new or "", most=most)


def _refuse_owned(pages: Sequence[Change], ours: Set[str]) -> None:
    """Raise OutputError where pages are among the files, or in the folders, of ours."""
    faults = []
    for page in pages:
        inside = page.path.removeprefix("./")
        if not ours.isdisjoint((inside, *manifest.above(inside))):
            faults.append(
                f"{page.shown.as_posix()}: errspec owns all of this file: "
                "regions belong into pages that people write"
            )
    if faults:
        raise OutputError("\n".join(faults))


def _is_gone(out: Path, path: str) -> bool:
    return not os.path.lexists(out / path)


def _refuse_changed(change: Change, page: Page) -> None:
    """Raise OutputError where a page is not any more what it was when it was read."""
    if disk.read(change.shown, change.real) != page.old:
        raise OutputError(
            f"{change.shown.as_posix()}: changed while errspec worked; run it again"
        )


def _record(out: Path, old: bytes | None, new: str, real: Path) -> Change:
    """Return what is to be done about MANIFEST, which nobody edits."""
    text = None if old is None else manifest.decoded(old)
    behind: State = "missing" if text is None else "outdated"
    state = "fine" if (text or "") == new else behind
    return Change(manifest.NAME, out / manifest.NAME, state, text, new, real)


def _rendered(packages: Sequence[Package]) -> dict[str, str]:
    """Return every text, with LF, by its path below `out`."""
    texts = [
        (package.path(name), text)
        for package in packages
        for name, text in package.files.items()
    ]
    # Of a folder inside another, the files would be taken for the other's left-overs.
    folders = (package.folder for package in packages if package.folder)
    faults = list(manifest.clashes(folders))
    if not faults:
        faults += manifest.clashes((manifest.NAME, *(path for path, _ in texts)))
    halves = (path for path, text in texts if not manifest.is_encodable(text))
    faults += [f"{path!r} would hold half a character (a surrogate)" for path in halves]
    if faults:
        raise OutputError("\n".join(f"output path {fault}" for fault in faults))
    return {
        manifest.canonical(path): manifest.decoded(text.encode())
        for path, text in texts
    }


def _warnings(
    out: Path, recorded: bytes | None, broken: Sequence[int], changes: Sequence[Change]
) -> Iterator[str]:
    shown = (out / manifest.NAME).as_posix()
    differing = (c for c in changes if c.old is not None)
    if recorded is None and any(not c.page or c.state == "edited" for c in differing):
        yield f"{shown} is missing: nothing is deleted, no file that differs is written"
    if broken:
        such = f"line {broken[0]}" + f" and {len(broken) - 1} more" * (len(broken) > 1)
        yield f"{shown}: {such}: not `sha256  path`, passed over"
