"""The way from a spec to its files, put together: load, check, render.

What `cli` needs as one call each; no stage of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from . import rules, schema, source
from .build import build
from .config import Config, Entry
from .diagnostics import (
    Diagnostic,
    Findings,
    Path,
    Unreadable,
    did_you_mean,
    has_errors,
    listed,
)
from .model import Catalogue
from .options import pack_options
from .output import Package
from .packs import Library
from .render import Job, Renderer


class Loaded(Struct, frozen=True):
    """A catalogue that was read, with everything that was found in it."""

    entry: Entry
    document: source.Document
    catalogue: Catalogue
    diagnostics: tuple[Diagnostic, ...]


class Project:
    """A set-up with its packs; catalogues are read and rendered on demand."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.library = Library(config.templates)
        self.renderer = Renderer(self.library)

    def load(self, entry: Entry) -> Loaded:
        """Read one catalogue through all checks.

        Raises Unreadable where the file is no catalogue at all; what is wrong in a
        readable one is in the result.
        """
        self.config.check_exists(entry)
        return self.judge(entry, source.read(entry.spec, entry.name))

    def judge(self, entry: Entry, document: source.Document) -> Loaded:
        """Take a document that was read through all checks, as `load` does."""
        if not isinstance(document.data, dict):
            raise Unreadable([_no_catalogue(document)], [document])
        found = [*document.diagnostics, *schema.check(document, "catalogue")]
        if _lacks_footing(document, found):
            catalogue = build(source.parse("{}", entry.name))[0]
            return Loaded(entry, document, catalogue, _sorted(document, found))
        catalogue, wrong = build(document, found)
        found += wrong
        subject = rules.Subject(
            catalogue,
            self.renderer.view(catalogue, entry.name, None).languages,
            tuple(self.library.pack(name) for name in self.targets(entry, catalogue)),
            entry.name,
            document.data,
            not has_errors(found),
            tuple(self.library.languages()),
            self.config.today,
        )
        found += rules.check(subject, self.config.rules)
        return Loaded(entry, document, catalogue, _sorted(document, found))

    def load_all(self) -> list[Loaded]:
        """Read all catalogues of the set-up.

        Raises Unreadable, with what was found in all of them, where one is no catalogue.
        """
        loaded: list[Loaded] = []
        failed: list[Unreadable] = []
        for entry in self.config.entries:
            try:
                loaded.append(self.load(entry))
            except Unreadable as error:
                failed.append(error)
        if failed:
            raise Unreadable(
                [d for error in failed for d in error.diagnostics]
                + [d for one in loaded for d in one.diagnostics],
                [d for error in failed for d in error.documents]
                + [one.document for one in loaded],
            )
        self._check_ids(loaded)
        return loaded

    def _check_ids(self, loaded: Sequence[Loaded]) -> None:
        """Raise Findings where two catalogues have one id: their output would be one."""
        first: dict[str, Loaded] = {}
        for one in loaded:
            other = first.setdefault(one.catalogue.id, one)
            if other is not one and one.catalogue.codes:
                message = f"{other.entry.name} has the id {one.catalogue.id!r} too"
                found = Diagnostic(
                    "repeated-id",
                    message,
                    one.entry.name,
                    ("id",),
                    mend="each catalogue of a project has its own",
                )
                raise Findings([found], [one.document])

    def sound(self, loaded: Sequence[Loaded]) -> None:
        """Raise Findings, with all diagnostics, where any of them is an error."""
        found = [d for one in loaded for d in one.diagnostics]
        if has_errors(found):
            raise Findings(found, [one.document for one in loaded])

    def targets(self, entry: Entry, catalogue: Catalogue) -> list[str]:
        """Return the names of the packs that a catalogue goes through.

        Findings, in errspec.yaml, where it names a pack that does not exist.
        """
        known = self.library.names()
        named: list[tuple[str, Path]] = [
            (target, ("targets", n)) for n, target in enumerate(entry.targets or ())
        ]
        named += [(name, ("options", name)) for name in entry.options]
        for name, place in named:
            if name not in known:
                mend = did_you_mean(name, known) or f"packs: {listed(known)}"
                message = f"unknown pack {name!r}"
                path = (*entry.path, *place)
                raise self.config.wrong("unknown-pack", message, path, mend)
        if entry.targets is None:
            return self.library.defaults(catalogue.languages)
        return list(entry.targets)

    def packages(
        self,
        loaded: Sequence[Loaded],
        only: Sequence[str] = (),
        unless_set: Mapping[str, Any] = {},
    ) -> list[tuple[Loaded, Package]]:
        """Render the catalogues; `only` names the packs, where not all are wanted.

        `unless_set` are options for packs that have them, where errspec.yaml does not
        say otherwise.
        """
        return [
            (one, self._package(job))
            for one in loaded
            for job in self._jobs(one, only, unless_set)
        ]

    def index(
        self, loaded: Sequence[Loaded], target: str, files: Mapping[str, Set[str]]
    ) -> str:
        """Return the page that leads to the pages that a pack makes of the catalogues.

        `files` are the names of what stands in the folder of each, by its id.
        """
        jobs = [self.job(one, target) for one in loaded]
        return self.renderer.index(self.library.pack(target), jobs, files)

    def job(self, one: Loaded, target: str) -> Job:
        """Return a catalogue through a pack. Findings where its options are wrong."""
        pack = self.library.pack(target)
        options = pack_options(self.config, one.entry, pack, one.catalogue)
        given = frozenset(one.entry.options.get(target, ()))
        return Job(one.catalogue, one.entry.name, pack, options, given)

    def origins(self, one: Loaded) -> dict[str, Path]:
        """Return where each name that a catalogue's output may show stands in its spec."""
        view = self.renderer.view(one.catalogue, one.entry.name, None)
        found: dict[str, Path] = {}
        for local in view.languages.values():
            for code in local.codes:
                names = (*code.spellings, code.constant, *code.class_names)
                found.update(dict.fromkeys(names, ("codes", code.key)))
        found.update((name, ("classes", name)) for name in one.catalogue.classes)
        return found

    def _jobs(
        self, one: Loaded, only: Sequence[str], unless_set: Mapping[str, Any]
    ) -> Iterator[Job]:
        targets = self.targets(one.entry, one.catalogue)
        own = [self.job(one, name) for name in targets]
        order = {name: n for n, name in enumerate(one.catalogue.languages)}
        shown = tuple(
            sorted(
                (job for job in own if job.pack.usage),
                key=lambda job: order.get(job.pack.language or "", len(order)),
            )
        )
        for name in dict.fromkeys(only) or targets:
            job = self.job(one, name)
            others = {
                option: value
                for option, value in unless_set.items()
                if option in job.pack.options and option not in job.given
            }
            yield replace(
                job,
                options={**job.options, **others},
                companions=() if job.pack.language else shown,
            )

    def _package(self, job: Job) -> Package:
        return Package(job.folder, self.renderer.render(job), job.pack.litter)


def _no_catalogue(document: source.Document) -> Diagnostic:
    return Diagnostic(
        "no-catalogue",
        "a catalogue is a mapping with `codes`",
        document.name,
        mend="start with `errspec init`, or see `errspec schema`",
    )


def _lacks_footing(document: source.Document, found: Sequence[Diagnostic]) -> bool:
    """Tell whether the document says too little for anything to be built on it."""
    assert isinstance(document.data, dict)
    needed: tuple[Path, ...] = (("languages",), ("codes",), ("base_class",))
    broken = {d.path[:1] for d in found if d.severity == "error" and len(d.path) == 1}
    return any(p[0] not in document.data or p in broken for p in needed)


def _sorted(
    document: source.Document, found: Sequence[Diagnostic]
) -> tuple[Diagnostic, ...]:
    # That a key reads as a number elsewhere is no news where it cannot stand at all.
    wrong = {d.path for d in found if d.severity == "error" and d.on == "key"}
    told = (d for d in found if d.id != "ambiguous-key" or d.path not in wrong)
    return tuple(sorted(told, key=lambda d: document.place(d)[:2]))
