"""Rules about the texts for people."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ..diagnostics import Diagnostic, Path
from ..model import Catalogue, Code, ErrorClass
from .subject import Subject

_BIDI = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def _texts(catalogue: Catalogue) -> Iterator[tuple[str, Path]]:
    """Yield the texts for people, with their places."""
    yield catalogue.title, ("title",)
    for group in catalogue.groups.values():
        yield group.title, ("groups", group.key, "title")
        yield group.meaning, ("groups", group.key, "meaning")
    entries: Iterable[tuple[str, str, Code | ErrorClass]] = [
        *(("classes", c.name, c) for c in catalogue.classes.values()),
        *(("codes", c.key, c) for c in catalogue.codes.values()),
    ]
    for section, key, entry in entries:
        yield entry.meaning, (section, key, "meaning")
        yield entry.hint, (section, key, "hint")
        yield entry.message or "", (section, key, "message")
        for index, place in enumerate(entry.raised_by):
            yield place, (section, key, "raised_by", index)
        for field in entry.fields:
            yield field.meaning, (section, key, "fields", field.name, "meaning")
        for index, rule in enumerate(entry.verdict.rules if entry.verdict else ()):
            yield rule.hint, (section, key, "retryable", "rules", index, "hint")
        if isinstance(entry, Code):
            for index, alias in enumerate(entry.aliases):
                yield alias, (section, key, "aliases", index)
            for language, local in entry.languages.items():
                yield local.reason, (section, key, "languages", language, "reason")


def text_reads_as_written(subject: Subject) -> Iterator[Diagnostic]:
    for words, path in _texts(subject.catalogue):
        if found := _BIDI.search(words):
            yield Diagnostic(
                "",
                f"{path[-1]} holds U+{ord(found[0]):04X}, which reorders what is shown",
                subject.file,
                path,
                mend="take the character out",
            )


def sentences_end(subject: Subject) -> Iterator[Diagnostic]:
    catalogue = subject.catalogue
    for key, code in catalogue.codes.items():
        if code.meaning and not code.meaning.endswith((".", "!", "?", "…", "。")):
            yield Diagnostic(
                "",
                f"the meaning of {key} does not end in a full stop",
                subject.file,
                ("codes", key, "meaning"),
                mend="end the sentence",
            )
