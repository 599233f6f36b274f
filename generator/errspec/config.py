"""errspec.yaml: which catalogue goes through which packs to where."""

from __future__ import annotations

import contextlib
import os
import pathlib
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from . import schema, source
from .compat.judge import Allowance
from .compat.kinds import KINDS, TOO_LOW
from .diagnostics import (
    Diagnostic,
    Findings,
    Path,
    Unreadable,
    UsageError,
    did_you_mean,
    has_errors,
)
from .rules import RULES
from .schema import text

FILE = "errspec.yaml"


class Entry(Struct, frozen=True):
    """One catalogue of a project. `targets` is None where the defaults hold."""

    spec: pathlib.Path
    name: str
    """The spec's path as messages and headers show it: below the project's folder."""
    targets: tuple[str, ...] | None = None
    options: Mapping[str, Mapping[str, Any]] = {}
    path: Path = ()
    """Where the entry stands in errspec.yaml."""


class PageEntry(Struct, frozen=True):
    """A page that people wrote and that has regions of ours.

    `name` is what messages call it: its path from where we are. `place` is where it
    stands in errspec.yaml, if it does.
    """

    path: pathlib.Path
    place: Path = ()

    @property
    def name(self) -> str:
        return self.path.as_posix()


class Config(Struct, frozen=True):
    """A project's set-up; `document` is None where there is no errspec.yaml."""

    root: pathlib.Path
    out: pathlib.Path
    entries: tuple[Entry, ...]
    templates: tuple[pathlib.Path, ...] = ()
    rules: Mapping[str, Literal["off", "warning", "error"]] = {}
    document: source.Document | None = None
    allowances: tuple[Allowance, ...] = ()
    """The breaking changes that were agreed on."""
    today: str | None = None
    """What day it is, such as 2026-11-30, where somebody said so."""
    pages: tuple[PageEntry, ...] = ()

    def wrong(self, id: str, message: str, path: Path, mend: str | None) -> Findings:
        """Make the exception for something wrong in errspec.yaml."""
        assert self.document is not None
        return _wrong(self.document, id, message, path, mend)

    def check_exists(self, entry: Entry) -> None:
        """Raise Unreadable, at its place in errspec.yaml, where an entry has no file.

        UsageError where a command was given something else, such as a code.
        """
        if os.path.lexists(entry.spec):
            return
        if not entry.path:
            if not entry.spec.suffix:
                raise UsageError(
                    f"there is no file {entry.name!r}: SPEC is a catalogue's file; of a "
                    f"code `errspec explain {entry.name}` says all"
                )
            return
        beside: list[str] = []
        with contextlib.suppress(OSError):
            found = (p for p in entry.spec.parent.iterdir() if p.is_file())
            folder = pathlib.PurePosixPath(entry.name).parent
            beside = [(folder / p.name).as_posix() for p in found]
        path = (*entry.path, "spec")
        mend = did_you_mean(entry.name, beside, 70)
        wrong = self.wrong("no-file", f"there is no file {entry.name!r}", path, mend)
        raise Unreadable(wrong.diagnostics, wrong.documents)


def load(
    specs: Sequence[pathlib.Path],
    out: pathlib.Path | None = None,
    today: str | None = None,
) -> Config:
    """Return the set-up for the given specs, or for all of the nearest errspec.yaml.

    `out` overrides the output folder, `today` is what day it is. UsageError where
    there is neither a spec nor an errspec.yaml; Findings or Unreadable where that is
    wrong.
    """
    found = nearest()
    here = pathlib.Path()
    config = _read(found) if found else Config(here, here / "generated", ())
    if not specs and not found:
        raise UsageError(
            f"no {FILE} here or above: name a spec, or start with `errspec init`"
        )
    if specs:
        known = {os.path.realpath(entry.spec): entry for entry in config.entries}
        entries = (
            known.get(os.path.realpath(spec)) or Entry(spec, _shown(config.root, spec))
            for spec in specs
        )
        unique = {os.path.realpath(entry.spec): entry for entry in entries}
        config = replace(config, entries=tuple(unique.values()))
    return replace(config, out=out or config.out, today=today)


def nearest() -> pathlib.Path | None:
    """Return the nearest errspec.yaml, as a path from where we are."""
    try:
        above = len(pathlib.Path.cwd().parents)
    except OSError as error:
        raise UsageError(
            f"the current folder cannot be used: {error.strerror}"
        ) from None
    for steps in range(above + 1):
        path = pathlib.Path(*[".."] * steps) / FILE
        with contextlib.suppress(OSError):  # a folder that we must not look into
            if path.is_file():
                return path
    return None


def _shown(root: pathlib.Path, spec: pathlib.Path) -> str:
    """Name a spec by its path from the project's folder.

    An absolute path must not get into the output, which is the same on every machine.
    """
    try:
        shown = os.path.relpath(os.path.realpath(spec), os.path.realpath(root))
    except ValueError:  # another drive
        return spec.name
    return pathlib.Path(shown).as_posix()


def _read(path: pathlib.Path) -> Config:
    document = source.read(path)
    found = [*document.diagnostics, *schema.check(document, "config")]
    if has_errors(found):
        raise Findings(found, [document])
    data: Any = document.data
    root = path.parent
    known = [rule.id for rule in RULES]
    for rule in data.get("rules", {}):
        if rule not in known:
            mend = did_you_mean(rule, known) or "`errspec rules` lists them"
            raise _wrong(
                document,
                "unknown-rule",
                f"unknown rule {rule!r}",
                ("rules", rule),
                mend,
            )
    out = text(data.get("out", "generated"))
    if _escapes(out):
        raise _wrong(
            document,
            "output-path",
            f"{out!r} does not lie below {FILE}",
            ("out",),
            "name a folder below it, such as generated",
        )
    entries: list[Entry] = []
    for index, raw in enumerate(data["catalogues"]):
        spec = root / text(raw["spec"])
        targets = raw.get("targets")
        targets = [targets] if isinstance(targets, str) else targets
        if os.path.realpath(spec) in {os.path.realpath(e.spec) for e in entries}:
            raise _wrong(
                document,
                "repeated-value",
                f"{raw['spec']!r} stands here twice",
                ("catalogues", index, "spec"),
                "one entry can have many targets",
            )
        entries.append(
            Entry(
                spec,
                _shown(root, spec),
                tuple(text(t) for t in targets) if targets else None,
                raw.get("options", {}),
                ("catalogues", index),
            )
        )
    for index, folder in enumerate(data.get("templates", ())):
        if not (root / text(folder)).is_dir():
            raise _wrong(
                document,
                "no-folder",
                f"there is no folder {folder!r}",
                ("templates", index),
                "make it, or leave it out",
            )
        if not os.access(root / text(folder), os.R_OK | os.X_OK):
            unseen = _wrong(
                document,
                "unreadable",
                f"the folder {folder!r} cannot be read",
                ("templates", index),
                "you lack the permission",
            ).diagnostics
            raise Unreadable(unseen, [document])
    return Config(
        root,
        root / out,
        tuple(entries),
        tuple(root / text(t) for t in data.get("templates", ())),
        data.get("rules", {}),
        document,
        tuple(_allowances(document, data.get("breaking_allow", ()))),
        pages=tuple(_pages(document, root, data.get("inject", ()))),
    )


def _pages(
    document: source.Document, root: pathlib.Path, raw: Sequence[Any]
) -> Iterator[PageEntry]:
    seen: set[str] = set()
    for index, each in enumerate(raw):
        path = root / text(each)
        place: Path = ("inject", index)
        if _escapes(text(each)):
            message = f"{each!r} does not lie below {FILE}"
            raise _wrong(document, "wrong-path", message, place, "name a page below it")
        if (real := os.path.realpath(path)) in seen:
            message = f"{each!r} stands here twice"
            raise _wrong(document, "repeated-value", message, place, None)
        seen.add(real)
        yield PageEntry(path, place)


def _allowances(document: source.Document, raw: Sequence[Any]) -> Iterator[Allowance]:
    known = [*KINDS, TOO_LOW.id]
    for index, entry in enumerate(raw):
        path: Path = ("breaking_allow", index)
        rule = entry["rule"]
        if rule not in known:
            mend = did_you_mean(rule, known) or "`errspec breaking` names it"
            message = f"unknown kind of finding {rule!r}"
            raise _wrong(document, "unknown-rule", message, (*path, "rule"), mend)
        name = text(entry["code"]) if "code" in entry else None
        yield Allowance(rule, text(entry["reason"]).strip(), name, path)


def _escapes(path: str) -> bool:
    parts = re.split(r"[/\\]", path)
    return path.startswith(("/", "\\", "~")) or ".." in parts or ":" in path


def _wrong(
    document: source.Document, id: str, message: str, path: Path, mend: str | None
) -> Findings:
    on: Any = (
        "key" if id.startswith("unknown") and not isinstance(path[-1], int) else "value"
    )
    return Findings(
        [Diagnostic(id, message, document.name, path, on, mend)], [document]
    )
