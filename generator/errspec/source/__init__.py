"""Reads a YAML file into plain data, and knows the place of each key and value.

Whatever YAML tools read differently is a finding, so that a catalogue says the same to
every reader. `reader` goes over the text, `document` is what comes of it, `show` makes
a diagnostic readable.
"""

from __future__ import annotations

import pathlib
from contextlib import suppress

import yaml

from ..diagnostics import Diagnostic, ErrspecError, Unreadable
from .document import Document, Node, Place, Value
from .messages import FINDINGS, MAX_DEPTH, MAX_EVENTS, WARNINGS
from .reader import MAX_FINDINGS, Reader, Refusal
from .show import MAX_LINE, MAX_TEXT, Style, show, visible

__all__ = [
    "FINDINGS",
    "MAX_BYTES",
    "MAX_DEPTH",
    "MAX_EVENTS",
    "MAX_FINDINGS",
    "MAX_LINE",
    "MAX_TEXT",
    "WARNINGS",
    "Document",
    "Node",
    "Place",
    "Style",
    "Value",
    "decode",
    "parse",
    "read",
    "show",
    "text_of",
    "visible",
]

MAX_BYTES = 16 * 2**20


def read(path: pathlib.Path, name: str | None = None) -> Document:
    """Read a file, called `name` in diagnostics, or else by its path.

    Raise Unreadable if it is missing, too large or not UTF-8, and as `parse` does.
    """
    name = name or path.as_posix()
    try:
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        message = f"cannot be read: {reason}"
        raise Unreadable([Diagnostic("unreadable", message, name)]) from None
    return decode(raw, name)


def decode(raw: bytes, name: str) -> Document:
    """Read the bytes of a file. Raise Unreadable as `read` does."""
    return parse(text_of(raw, name), name)


def text_of(raw: bytes, name: str) -> str:
    """Return the bytes of a file as text. Raise Unreadable as `read` does."""

    def refusal(id: str, message: str, mend: str | None = None) -> Unreadable:
        return Unreadable([Diagnostic(id, message, name, mend=mend)])

    if len(raw) > MAX_BYTES:
        raise refusal("too-large", f"larger than {MAX_BYTES >> 20} MiB")
    try:
        text = raw.decode()
        bad = raw.find(b"\0", 0, 4)  # how UTF-16 without a mark begins
    except UnicodeDecodeError as error:
        text, bad = "", error.start
    if bad >= 0:
        wide = b"\0" in raw[:4] or raw[:2] in (b"\xff\xfe", b"\xfe\xff")
        mend = "it looks like UTF-16: save it as UTF-8" if wide else "save it as UTF-8"
        message = f"not UTF-8 (byte 0x{raw[bad]:02x} at offset {bad})"
        raise refusal("encoding", message, mend)
    return text


def parse(text: str, name: str) -> Document:
    """Read YAML text. Raise Unreadable if it is no YAML, empty, or past the limits."""
    if not yaml.__with_libyaml__:
        raise ErrspecError("PyYAML lacks libyaml here: install it from a wheel")
    text = text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    reader = Reader(text, name)
    data: Value = None
    root = reader.nowhere
    with suppress(Refusal):
        data, root = reader.document()
    findings = sorted(reader.findings, key=lambda finding: finding.span or (0, 0))
    document = Document(name, text, data, tuple(findings), root)
    if data is None:
        raise Unreadable(document.diagnostics, [document])
    return document
