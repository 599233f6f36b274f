"""From rendered text to files: what stands on disk against what should, then writing.

`plan` only reads, `apply` only does what a plan says; who owns which file is decided
in one place, `_judge`, with MANIFEST as the memory of what errspec wrote.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from pathlib import Path
from typing import Literal

from msgspec import Struct

from errspec import disk, hunks, manifest
from errspec.diagnostics import OutputError

State = Literal[
    "fine",
    "missing",
    "outdated",
    "mixed-endings",
    "conflicted",
    "edited",
    "left-over",
    "left-over-edited",
    "stray",
]

ACTIONS: Mapping[State, Literal["leave", "write", "refuse", "delete"]] = {
    "fine": "leave",
    "missing": "write",
    "outdated": "write",
    "mixed-endings": "write",
    "conflicted": "write",
    "edited": "refuse",
    "left-over": "delete",
    "left-over-edited": "leave",
    "stray": "leave",
}


class Package(Struct, frozen=True):
    """One rendered (catalogue, pack) pair.

    `folder` is a posix path below the output folder, the keys of `files` are posix
    paths below `folder`. An empty `folder` is the output folder itself, which others
    may share: there nothing is a stray. `litter` names what tools leave there: `*.pyc` is a file,
    `__pycache__/` a folder, at any depth.
    """

    folder: str
    files: Mapping[str, str]
    litter: tuple[str, ...] = ()

    def path(self, name: str) -> str:
        """Return the path of a file below the output folder."""
        return f"{self.folder}/{name}" if self.folder else name


class Change(Struct, frozen=True):
    """One path below the output folder, and what is the matter with it.

    `old` is the text on disk (None: there is none, or it is a stranger's), `new` the
    rendered one (None: not rendered), both with LF; bytes that are not UTF-8 show as
    U+FFFD. `real` is the file itself, where `path` is a link to it or leads through
    one. The path of a stray folder ends with a slash.
    """

    path: str
    state: State
    old: str | None
    new: str | None
    real: Path


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

    def __init__(self, out: Path, changes: Sequence[Change]) -> None:
        names = "".join(f"\n  {(out / c.path).as_posix()}" for c in changes)
        super().__init__(
            f"nothing was written: these are not as errspec wrote them{names}\n"
            "move the edits into the spec or a template, or overwrite with --force"
        )
        self.changes = tuple(changes)


def plan(out: Path, packages: Sequence[Package], *, whole: bool = False) -> Plan:
    """Compare what stands below `out` with the packages. Reads, and writes nothing.

    Only the packages' folders are judged; `whole` says that these are all packages
    there are, so that a listed file outside of them is left over too. Raises
    OutputError for paths that clash or lead outside, and where the disk refuses.
    """
    rendered = _rendered(packages)
    record = disk.located(out, [manifest.NAME])[manifest.NAME]
    recorded = disk.read(out / manifest.NAME, record)
    listed, broken = manifest.parse(recorded or b"")

    apart = [package for package in packages if package.folder]
    folders = [manifest.canonical(package.folder) for package in apart]
    inside = tuple(f"{folder}/" for folder in folders)
    ours = {path for path in listed if whole or path.startswith(inside)}
    files = disk.located(out, sorted({*rendered, *ours}))
    disk.refuse_shared({manifest.NAME: record} | {p: files[p] for p in rendered})

    changes = []
    for path, file in files.items():
        new = rendered.get(path)
        data = disk.read(out / path, file, wanted=new is not None)
        if data is not None or new is not None:
            state = _judge(data, new, listed.get(path, frozenset()))
            old = None if data is None else manifest.decoded(data)
            changes.append(Change(path, state, old, new, file))
    known = {change.path for change in changes}
    known |= {folder for path in known for folder in manifest.above(path)}
    for package, folder in zip(apart, folders, strict=True):
        for path in disk.strays(out, folder, known, package.litter):
            changes.append(Change(path, "stray", None, None, out / path))

    hashes = manifest.listing(rendered)
    kept = listed.keys() - ours
    kept |= {change.path for change in changes if change.state == "left-over-edited"}
    clean = manifest.text({path: listed[path] for path in kept} | hashes)
    return Plan(
        out,
        tuple(sorted(changes, key=lambda change: change.path)),
        _record(recorded, clean, record),
        manifest.text(manifest.united(listed, hashes)),
        tuple(disk.temporary({record.parent, *(f.parent for f in files.values())})),
        tuple(sorted(ours - known)),
        tuple(_warnings(out, recorded, broken, changes)),
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
        disk.write(plan.out / record.path, record.real, recorded)
    for change in writes:
        disk.write(plan.out / change.path, change.real, change.new or "")
    for change in deletions:
        disk.delete(plan.out, change.path)
    for path in (*(change.path for change in deletions), *plan.gone):
        disk.prune(plan.out, path)
    if recorded != record.new:
        disk.write(plan.out / record.path, record.real, record.new or "")
    return (*writes, *deletions, *((record,) if record.state != "fine" else ()))


def refuse_edited(plan: Plan) -> None:
    """Raise EditedError where a file to be written was edited by hand."""
    edited = [c for c in plan.changes if ACTIONS[c.state] == "refuse"]
    if edited:
        raise EditedError(plan.out, edited)


def difference(change: Change, *, most: int = hunks.MOST) -> hunks.Diff:
    """Return the diff from the text on disk to the rendered one."""
    return hunks.compare(change.old or "", change.new or "", most=most)


def _judge(old: bytes | None, new: str | None, listed: Set[str]) -> State:
    """Return what a path is told as, given the hashes that MANIFEST lists for it."""
    if old is None:
        return "missing"
    if new is None:
        return "left-over" if manifest.digest(old) in listed else "left-over-edited"
    if manifest.normalised(old) == new.encode():
        return "mixed-endings" if manifest.has_mixed_endings(old) else "fine"
    if manifest.digest(old) in listed:
        return "outdated"
    # A page about merging may show the marks: there they are no sign of a merge.
    marked = manifest.has_conflict_marks
    merging = marked(manifest.decoded(old)) and not marked(new)
    return "conflicted" if merging else "edited"


def _record(old: bytes | None, new: str, real: Path) -> Change:
    """Return what is to be done about MANIFEST, which nobody edits."""
    text = None if old is None else manifest.decoded(old)
    behind: State = "missing" if text is None else "outdated"
    state = "fine" if (text or "") == new else behind
    return Change(manifest.NAME, state, text, new, real)


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
    if recorded is None and any(change.old is not None for change in changes):
        yield f"{shown} is missing: nothing is deleted, no file that differs is written"
    if broken:
        such = f"line {broken[0]}" + f" and {len(broken) - 1} more" * (len(broken) > 1)
        yield f"{shown}: {such}: not `sha256  path`, passed over"
