"""Rules about texts: those for people, and those by which errors are told apart."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Any

import msgspec.json

from ..diagnostics import Diagnostic, Path, Related
from ..escapes import NEVER_RAW
from ..model import Field
from .subject import Subject

_BIDI = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")

# Letters of Cyrillic and Greek that have the shape of a Latin one.
_SHAPES = str.maketrans(
    "АВЕЅІЈКМНОРСТУХаеѕіјорсухһԁԛԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧοϲ",
    "ABESIJKMHOPCTYXaesijopcyxhdqwABEZHIKMNOPTYXoc",
)


def text_reads_as_written(subject: Subject) -> Iterator[Diagnostic]:
    if msgspec.json.encode(
        subject.data
    ).isascii():  # most are, and that is told at once
        return
    catalogue = subject.catalogue
    built = {
        "groups": catalogue.groups,
        "types": catalogue.records,
        "attributes": catalogue.attributes,
        "context": catalogue.context,
        "classes": catalogue.classes,
        "codes": catalogue.codes,
    }
    ahead: list[tuple[Path, Any]] = [((), subject.data)]
    while ahead:  # whatever the format holds, and without a call for each text
        path, value = ahead.pop()
        if len(path) == 2 and path[1] not in built.get(str(path[0]), path):
            continue  # set aside: nothing follows from it
        if isinstance(value, dict):
            ahead += [((*path, key), inner) for key, inner in value.items()]
        elif isinstance(value, list):
            ahead += [((*path, index), inner) for index, inner in enumerate(value)]
        elif not isinstance(value, str) or value.isascii():
            continue
        elif found := _BIDI.search(value):
            name = next(p for p in reversed(path) if isinstance(p, str))
            yield Diagnostic(
                "",
                f"{name} holds U+{ord(found[0]):04X}, which reorders what is shown",
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


def texts_look_different(subject: Subject) -> Iterator[Diagnostic]:
    for texts in _told_apart(subject):
        if all(text.isascii() for text in texts):
            continue
        first: dict[str, str] = {}
        for text, path in texts.items():
            other = first.setdefault(_shape(text), text)
            words = path[2:3] == ("fields",)
            # One code may well be read under two forms of its name.
            if other != text and (words or path[1] != texts[other][1]):
                odd = text if not text.isascii() else other
                sign = next(c for c in odd if not c.isascii())
                yield Diagnostic(
                    "",
                    f"{text!r} looks like {other!r}",
                    subject.file,
                    path,
                    mend=f"one of them holds {_called(sign)}",
                    related=(Related("the other is here", texts[other]),),
                )


def _told_apart(subject: Subject) -> Iterator[dict[str, Path]]:
    """Yield sets of texts that programs tell apart, each text with its place."""
    catalogue = subject.catalogue
    read: dict[str, Path] = {key: ("codes", key) for key in catalogue.codes}
    for key, code in catalogue.codes.items():
        if isinstance(code.wire, str):
            read.setdefault(code.wire, ("codes", key, "wire"))
        for index, alias in enumerate(code.aliases):
            read.setdefault(alias, ("codes", key, "aliases", index))
    yield read
    owners: list[tuple[Path, tuple[Field, ...]]] = [
        *((("types", r.name), r.fields) for r in catalogue.records.values()),
        *((("classes", c.name), c.fields) for c in catalogue.classes.values()),
        *((("codes", c.key), c.fields) for c in catalogue.codes.values()),
    ]
    seen = set()  # who inherits a field has its words too
    for owner, fields in owners:
        for field in fields:
            if field.type.words and field.type.words not in seen:
                seen.add(field.type.words)
                place = (*owner, "fields", field.name, "type")
                yield {word: (*place, n) for n, word in enumerate(field.type.words)}


def _shape(text: str) -> str:
    """Return what a text looks like."""
    shown = NEVER_RAW.sub("", unicodedata.normalize("NFKC", text))
    return shown.translate(_SHAPES)


def _called(sign: str) -> str:
    return f"U+{ord(sign):04X} {unicodedata.name(sign, 'without a name').lower()}"
