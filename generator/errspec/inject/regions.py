"""What a region shows: the codes that it asks for, or what the project has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..diagnostics import Diagnostic, UsageError, did_you_mean, listed
from ..project import Loaded, Project
from ..rules import RULES
from ..selection import Selection
from ..view import CodeView, View
from ..words import value_words
from .markers import Word
from .request import Request

PACK = "markdown"
"""The pack that writes into pages."""


class _Wrong(Exception):
    """What a region asks for cannot be had; `word` is at fault, or the marker as a whole."""

    def __init__(
        self, id: str, message: str, mend: str | None = None, word: Word | None = None
    ) -> None:
        super().__init__(message)
        self.id, self.message, self.mend, self.word = id, message, mend, word


class Writer:
    """Writes regions. `loaded` are the catalogues of the project."""

    def __init__(self, project: Project, loaded: Sequence[Loaded]) -> None:
        self._project = project
        self._loaded = {one.catalogue.id: one for one in loaded}
        self._pack = project.library.pack(PACK)
        self._spelt: dict[str, dict[str, list[CodeView]]] = {}

    def faults(self, request: Request, page: str) -> Iterator[Diagnostic]:
        """Yield what cannot be had of what a region of a page asks for."""
        for wrong in self._faults(request):
            span = wrong.word.span if wrong.word else request.span
            yield Diagnostic(wrong.id, wrong.message, page, mend=wrong.mend, span=span)

    def _faults(self, request: Request) -> Iterator[_Wrong]:
        if not request.kind:
            return
        if request.kind not in self._pack.regions:
            known = self._pack.regions
            mend = f"it writes {listed(known, 'and')}" if known else "it writes none"
            message = f"the pack {PACK} does not write {request.kind!r}"
            yield _Wrong("unknown-region", message, mend)
        if request.kind in _OVERVIEWS:
            return
        try:
            if request.kind == "entry":
                if request.code:
                    self._coded(request, request.code)
                return
            one = self._catalogue(request)
        except _Wrong as wrong:
            yield wrong
            return
        yield from self._unknown_values(request, one)
        yield from self._unknown_columns(request, one)

    def write(self, request: Request, anchors: set[str]) -> tuple[str, Loaded | None]:
        """Write a region without faults; return of which catalogue it is, if of one.

        `anchors` are those that the page has so far: a code gets its own only once.
        """
        if request.kind in _OVERVIEWS:
            rows = {
                "catalogues": self._catalogues,
                "packs": self._packs,
                "rules": self._rules,
            }
            names = {request.kind: [*rows[request.kind]()]}
            renderer = self._project.renderer
            return renderer.overview(self._pack, request.kind, names), None
        if request.code:
            one, code = self._coded(request, request.code)
            codes = [code]
        else:
            one = self._catalogue(request)
            codes = self._selected(request, self._view(one))
        anchored: set[str] = set()
        for code in codes if request.kind != "list" else ():
            if anchors.isdisjoint(code.spellings):
                anchors.update(code.spellings)
                anchored.add(code.key)
        text = self._project.renderer.region(
            self._project.job(one, PACK),
            request.kind,
            codes,
            columns=request.values("columns"),
            anchored=frozenset(anchored),
        )
        return text, one

    def _view(self, one: Loaded) -> View:
        return self._project.renderer.view(one.catalogue, one.entry.name, None)

    def _catalogue(self, request: Request) -> Loaded:
        """Return the catalogue that is asked for, or the only one."""
        if word := request.arguments.get("catalogue"):
            id = word.value or ""
            if id not in self._loaded:
                mend = did_you_mean(id, self._loaded)
                mend = mend or f"there is {listed(self._loaded, 'and')}"
                raise _Wrong(
                    "unknown-catalogue", f"no catalogue has the id {id!r}", mend, word
                )
            return self._loaded[id]
        if len(self._loaded) > 1:
            message = "the project has several catalogues"
            mend = f"catalogue={listed(self._loaded)}"
            raise _Wrong("several-catalogues", message, mend)
        return next(iter(self._loaded.values()))

    def _coded(self, request: Request, word: Word) -> tuple[Loaded, CodeView]:
        """Return the code of an entry, which may be any of its spellings."""
        named = "catalogue" in request.arguments
        among = [self._catalogue(request)] if named else [*self._loaded.values()]
        spelt = [(one, self._codes(one)) for one in among]
        found = [(one, c) for one, codes in spelt for c in codes.get(word.name, ())]
        if not found:
            known = [text for _, codes in spelt for text in codes]
            mend = did_you_mean(word.name, known) or "`errspec list` shows all codes"
            message = f"no code is spelt {word.name!r}"
            raise _Wrong("unknown-code", message, mend, word)
        if len(found) > 1:
            ids = list(dict.fromkeys(one.catalogue.id for one, _ in found))
            mend = f"catalogue={listed(ids)}" if len(ids) > 1 else "name it by its key"
            message = f"several codes are spelt {word.name!r}"
            raise _Wrong("several-catalogues", message, mend, word)
        if found[0][1].model.internal:
            message = f"{word.name} is internal: it is not for readers"
            raise _Wrong("internal-code", message, None, word)
        return found[0]

    def _codes(self, one: Loaded) -> dict[str, list[CodeView]]:
        """Return the codes of a catalogue by every text that stands for them."""
        id = one.catalogue.id
        if id not in self._spelt:
            found = self._spelt[id] = dict[str, list[CodeView]]()
            for code in self._view(one).codes:
                for text in dict.fromkeys(code.texts):
                    found.setdefault(text, []).append(code)
        return self._spelt[id]

    def _selected(self, request: Request, view: View) -> list[CodeView]:
        wanted = Selection(**{f: request.values(n) for f, n in _CRITERIA.items()})
        retired = request.values("retired") == ("yes",)
        return [
            code
            for code in wanted.codes(view)
            if not code.model.internal and (retired or not code.model.retired)
        ]

    def _unknown_values(self, request: Request, one: Loaded) -> Iterator[_Wrong]:
        for field, name in _CRITERIA.items():
            for value in request.values(name):
                try:
                    Selection(**{field: (value,)}).check([self._view(one)])
                except UsageError as error:
                    message, _, mend = str(error).partition(": ")
                    yield _Wrong("wrong-value", message, mend, request.arguments[name])

    def _unknown_columns(self, request: Request, one: Loaded) -> Iterator[_Wrong]:
        option = self._pack.options.get("columns")
        if option is None or not option.words:
            return
        known = [
            *option.words,
            *(one.catalogue.attributes if option.attributes else ()),
        ]
        for column in request.values("columns"):
            if column not in known:
                mend = did_you_mean(column, known) or f"known: {listed(known)}"
                message = f"no column is called {column!r}"
                yield _Wrong("wrong-value", message, mend, request.arguments["columns"])

    def _catalogues(self) -> Iterator[Any]:
        for one in self._loaded.values():
            yield self._view(one), self._project.targets(one.entry, one.catalogue)

    def _packs(self) -> Iterator[Any]:
        for name in self._project.library.names():
            pack = self._project.library.pack(name)
            options = [
                {
                    "name": option.name,
                    "default": value_words(option.default),
                    "meaning": option.meaning,
                }
                for option in pack.options.values()
            ]
            yield {"name": name, "meaning": pack.meaning, "options": options}

    def _rules(self) -> Iterator[Any]:
        severities = self._project.config.rules
        for rule in RULES:
            severity = severities.get(rule.id, rule.severity)
            yield {"id": rule.id, "purpose": rule.purpose, "severity": severity}


_CRITERIA = {
    "groups": "group",
    "verdicts": "retryable",
    "languages": "language",
    "raised_by": "raised-by",
}
"""The criteria of a `Selection`, and the arguments that give them."""
_OVERVIEWS = ("catalogues", "packs", "rules")
