"""Languages, markups and packs: data files that say how output is written.

All are read by `source` and checked by `schema` like catalogues, with the same
diagnostics. A pack is a folder with a `pack.yaml` and templates; a language or a
markup is one file. Folders of the user's come before the built-in ones.
"""

from __future__ import annotations

import pathlib
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from . import resources, schema, source
from .diagnostics import (
    Diagnostic,
    Findings,
    Path,
    UsageError,
    did_you_mean,
    has_errors,
    listed,
)
from .languages import Language
from .markup import Place, read_markup
from .schema import text


class Option(Struct, frozen=True):
    """An option of a pack, and the value that it has where none is set."""

    name: str
    type: str
    default: Any
    pattern: str | None
    meaning: str
    words: tuple[str, ...] = ()
    """What the entries of a list may be; any text where there are none."""
    attributes: bool = False
    """Whether they may be attributes of the catalogue, too."""


class PackFile(Struct, frozen=True):
    """A file that a pack writes: `to` is its path below the package's folder."""

    to: str
    template: str | None
    text: str
    each: str
    when: str | None


class Pack(Struct, frozen=True):
    """One kind of output. `trusted` tells the built-in packs from the user's."""

    name: str
    folder: pathlib.Path
    trusted: bool
    meaning: str
    language: str | None
    markup: str | None
    default: bool
    line_width: int
    skip_mark: str
    """Form of a line that is too long and cannot be broken: {line}, {indent}."""
    options: Mapping[str, Option]
    names: frozenset[str]
    litter: tuple[str, ...]
    files: tuple[PackFile, ...]
    usage: str | None
    """The template of how a program uses one code, for pages that show it."""
    index: str | None
    """The template of a page that leads to those of all catalogues."""
    regions: Mapping[str, str]
    """Templates, by the kind of region that they write into other people's pages."""
    document: source.Document


_NAME = re.compile("[a-z][a-z0-9_-]{0,63}")


class Library:
    """The packs, languages and markups that can be had; each is read once."""

    def __init__(self, folders: Iterable[pathlib.Path] = ()) -> None:
        self._builtin = resources.folder("templates")
        self._folders = [*folders, self._builtin]
        self._packs: dict[str, Pack] = {}
        self._languages: dict[str, Language] = {}
        self._markups: dict[str, Mapping[str, Place]] = {}

    def languages(self) -> list[str]:
        """Return the names of all languages that a file describes, in order."""
        found = (p for f in self._folders for p in f.glob("languages/*.yaml"))
        return sorted({path.stem for path in found})

    def names(self) -> list[str]:
        """Return the names of all packs, in order."""
        found: set[str] = set()
        for folder in self._folders:
            try:
                inside = [path for path in folder.iterdir() if path.is_dir()]
            except OSError as error:
                raise UsageError(f"{folder.as_posix()}: {error.strerror}") from None
            found.update(p.name for p in inside if _is_file(p / "pack.yaml"))
        return sorted(found)

    def pack(self, name: str) -> Pack:
        """Return a pack by its name. UsageError where there is none, Findings where
        its data is wrong."""
        if name not in self._packs:
            path = self._find(f"{name}/pack.yaml") if _NAME.fullmatch(name) else None
            if path is None:
                known = self.names()
                help = did_you_mean(name, known) or f"there are {listed(known, 'and')}"
                raise UsageError(f"no pack is called {name!r}: {help}")
            self._packs[name] = self._read_pack(name, path)
        return self._packs[name]

    def language(self, name: str) -> Language:
        """Return a language; a neutral one where no file describes it."""
        if name not in self._languages:
            path = self._find(f"languages/{name}.yaml")
            data = self._read(path, "language").data if path else {}
            assert isinstance(data, dict)
            self._languages[name] = Language(name, data)
        return self._languages[name]

    def markup(self, name: str) -> Mapping[str, Place]:
        """Return a markup's kinds of place. UsageError where there is none."""
        if name not in self._markups:
            path = self._find(f"markup/{name}.yaml")
            if path is None:
                raise UsageError(f"no markup is called {name!r}")
            data = self._read(path, "markup").data
            assert isinstance(data, dict)
            self._markups[name] = read_markup(data)
        return self._markups[name]

    def defaults(self, languages: Sequence[str]) -> list[str]:
        """Return the packs that run where no targets are named."""
        packs = [self.pack(name) for name in self.names()]
        return [p.name for p in packs if p.default or p.language in languages]

    def _find(self, path: str) -> pathlib.Path | None:
        found = (folder / path for folder in self._folders)
        return next((p for p in found if _is_file(p)), None)

    def _read(self, path: pathlib.Path, kind: str) -> source.Document:
        document = source.read(path)
        found = [*document.diagnostics, *schema.check(document, kind)]
        if not has_errors(found) and self._builtin not in path.parents:
            from . import forms  # our own files are checked by a test

            found += forms.check(document, kind)
        if has_errors(found):
            raise Findings(found, [document])
        return document

    def _read_pack(self, name: str, path: pathlib.Path) -> Pack:
        document = self._read(path, "pack")
        data: Any = document.data
        language = data.get("language")
        if language and self._find(f"languages/{language}.yaml") is None:
            raise Findings(
                [
                    Diagnostic(
                        "unknown-language",
                        f"no file describes the language {language!r}",
                        document.name,
                        ("language",),
                        mend=f"add languages/{language}.yaml beside the pack",
                    )
                ],
                [document],
            )
        for number, raw in enumerate(data["files"]):
            if ("template" in raw) == ("text" in raw):
                message = "a file has either a template or a text"
                place = ("files", number)
                fault = Diagnostic("no-template", message, document.name, place)
                raise Findings([fault], [document])
        _check_options(document)
        return Pack(
            name=name,
            folder=path.parent,
            trusted=path.parent.parent == self._builtin,
            meaning=text(data.get("meaning", "")),
            language=language,
            markup=data.get("markup"),
            default=data.get("default", False),
            line_width=data.get("line_width", 88),
            skip_mark=text(data.get("skip_mark", "{line}")),
            options={
                key: Option(
                    key,
                    raw.get("type", "string"),
                    raw["default"],
                    text(raw["pattern"]) if "pattern" in raw else None,
                    text(raw.get("meaning", "")),
                    tuple(text(word) for word in raw.get("words", ())),
                    raw.get("attributes", False),
                )
                for key, raw in data.get("options", {}).items()
            },
            names=frozenset(text(n) for n in data.get("names", ())),
            litter=tuple(text(n) for n in data.get("litter", ())),
            files=tuple(
                PackFile(
                    text(raw["to"]),
                    raw.get("template"),
                    text(raw.get("text", "")),
                    raw.get("each", "catalogue"),
                    raw.get("when"),
                )
                for raw in data["files"]
            ),
            usage=data.get("usage"),
            index=data.get("index"),
            regions={
                kind: text(path) for kind, path in data.get("regions", {}).items()
            },
            document=document,
        )


_PLACEHOLDERS = ("id", "code", "group")
"""Names that stand for something else in the paths of a pack's files."""


def _check_options(document: source.Document) -> None:
    """Raise Findings for an option of a taken name, or with a pattern that is none."""
    data: Any = document.data
    found: list[Diagnostic] = []
    for name, raw in data.get("options", {}).items():
        path: Path = ("options", name)
        if name in _PLACEHOLDERS:
            message = f"{{{name}}} stands for something else in a path"
            mend = "give the option another name"
            found.append(
                Diagnostic("wrong-option", message, document.name, path, "key", mend)
            )
        try:
            re.compile(text(raw.get("pattern", "")))
        except re.error as error:
            message, path = f"no regular expression: {error}", (*path, "pattern")
            found.append(Diagnostic("wrong-pattern", message, document.name, path))
    if found:
        raise Findings(found, [document])


def _is_file(path: pathlib.Path) -> bool:
    """Tell whether a file is there. One that we may not see is: reading it says why."""
    try:
        return path.is_file()
    except PermissionError:
        return True
