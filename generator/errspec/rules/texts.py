"""Rules about texts that people read."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..diagnostics import Diagnostic, Path
from ..escapes import CODE
from .subject import Subject

_BIDI = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")

_PROSE = ("meaning", "hint", "reason", "title")
_MARKS = ("TODO", "TBD", "FIXME", "XXX")
_MARK = re.compile(rf"\b({'|'.join(_MARKS)})\b")
_NO_TEXT = r"(?i:todo|tbd|tba|fixme|wip|xxx|n/?a|none|placeholder|to be (?:defined|done|written)|lorem ipsum|)"
_EMPTY = re.compile(rf"\W*{_NO_TEXT}\W*")
# The same where the document is JSON: most have none, and that is told at once.
_EMPTY_THERE = re.compile(
    rf'"(?:{"|".join(_PROSE)})":"[^\w"\x80-\xff]*{_NO_TEXT}[^\w"\x80-\xff]*"'.encode(
        "latin-1"
    )
)

_FILLER = re.compile(
    r"\b(an?|the|is|was|were|are|has|have|been|error|failure|occurred|happened|code)\b"
    "|[^a-z0-9]"
)


def text_reads_as_written(subject: Subject) -> Iterator[Diagnostic]:
    if subject.encoded.isascii():
        return
    for path, text in subject.texts():
        if not text.isascii() and (found := _BIDI.search(text)):
            yield Diagnostic(
                "",
                f"{_name(path)} holds U+{ord(found[0]):04X}, which reorders what is shown",
                subject.file,
                path,
                mend="take the character out",
            )


def text_holds_no_control(subject: Subject) -> Iterator[Diagnostic]:
    encoded = subject.encoded
    signs = (b"\\u00", b"\\b", b"\\f", b"\x7f")
    if encoded.isascii() and not any(sign in encoded for sign in signs):
        return
    for path, text in subject.texts():
        if found := _CONTROL.search(text):
            yield Diagnostic(
                "",
                f"{_name(path)} holds U+{ord(found[0]):04X}, which nobody sees",
                subject.file,
                path,
                mend="take the character out",
            )


def texts_are_written(subject: Subject) -> Iterator[Diagnostic]:
    encoded = subject.encoded
    marked = any(mark.encode() in encoded for mark in _MARKS)
    if not marked and not _EMPTY_THERE.search(encoded):
        return
    for path, text in subject.texts():
        if path[-1] not in _PROSE:
            continue
        plain = CODE.sub("", text)
        if text != plain and not _MARK.search(plain):
            continue
        if _EMPTY.fullmatch(plain) or _MARK.search(plain):
            yield Diagnostic(
                "",
                f"{path[-1]} is still to be written",
                subject.file,
                path,
                mend="write it",
            )


def _name(path: Path) -> str:
    return next(part for part in reversed(path) if isinstance(part, str))


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


def meanings_say_more(subject: Subject) -> Iterator[Diagnostic]:
    catalogue = subject.catalogue
    entries = [
        *(("classes", c.name, c.meaning) for c in catalogue.classes.values()),
        *(("codes", c.key, c.meaning) for c in catalogue.codes.values()),
    ]
    for section, name, meaning in entries:
        if len(meaning) < 2 * len(name) + 20 and _bare(meaning) == _bare_name(name):
            if "meaning" not in subject.raw(section, name):
                continue  # the class says it, where it was told
            yield Diagnostic(
                "",
                f"the meaning of {name} only repeats the name",
                subject.file,
                (section, name, "meaning"),
                mend="say what happened",
            )


def _bare(text: str) -> str:
    return _FILLER.sub("", text.lower())


def _bare_name(name: str) -> str:
    return _bare(re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", name))
