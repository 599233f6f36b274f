"""Rules about texts that programs tell apart and people may not."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping

from ..diagnostics import Diagnostic, Path, Related
from ..escapes import NEVER_RAW
from ..naming import cased
from .subject import Subject, owned_fields

# Letters of Cyrillic and Greek that have the shape of a Latin one.
_SHAPES = str.maketrans(
    "АВЕЅІЈКМНОРСТУХаеѕіјорсухһԁԛԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧοϲ",
    "ABESIJKMHOPCTYXaesijopcyxhdqwABEZHIKMNOPTYXoc",
)
_DIGITS = str.maketrans("01i", "oll")


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


def codes_differ_enough(subject: Subject) -> Iterator[Diagnostic]:
    first: dict[str, str] = {}
    for text, path in subject.read.items():
        other = first.setdefault(text.casefold().translate(_DIGITS), text)
        there = subject.read[other]
        if other == text or path[1] == there[1]:
            continue  # one code may well be read in both forms
        if len(path) == len(there) == 2 and cased(text, "upper") == cased(
            other, "upper"
        ):
            continue  # their constants have one name, which is told already
        yield Diagnostic(
            "",
            f"{text!r} is told from {other!r} by "
            + ("case" if text.casefold() == other.casefold() else "O and 0, or I and 1")
            + " alone",
            subject.file,
            path,
            on="key" if len(path) == 2 else "value",
            mend="rename one of them",
            related=(Related("the other is here", there),),
        )


def _told_apart(subject: Subject) -> Iterator[Mapping[str, Path]]:
    """Yield sets of texts that programs tell apart, each text with its place."""
    yield subject.read
    seen = set()  # who inherits a field has its words too
    for owner, fields in owned_fields(subject.catalogue):
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
