"""Where in a pack a fault stands: the line of a template, or its name in pack.yaml."""

from __future__ import annotations

import pathlib
import re

import jinja2
import jinja2.exceptions
import jinja2.parser

from .diagnostics import Diagnostic, PackFault, Path
from .packs import Pack
from .sandbox import EncodingError, LimitError, TooLargeError
from .source import Document
from .source.document import Node

_KINDS: tuple[
    tuple[type[BaseException] | tuple[type[BaseException], ...], str], ...
] = (
    (jinja2.UndefinedError, "undefined"),
    (jinja2.exceptions.SecurityError, "not-allowed"),
    (
        (LimitError, TooLargeError, RecursionError, MemoryError, SyntaxError),
        "template-limit",
    ),
    (jinja2.TemplateNotFound, "no-template"),
    (EncodingError, "encoding"),
    (jinja2.TemplateSyntaxError, "template-syntax"),
)
_SAID: dict[type[BaseException], str] = {
    RecursionError: "this goes into itself without end, or too deep",
    MemoryError: "this needs more memory than there is",
    SyntaxError: "this is nested too deeply",  # Python's own, of what Jinja compiled
    IndentationError: "this is nested too deeply",
}


def found(error: BaseException, pack: Pack, template: str, path: Path) -> PackFault:
    """Make the exception for what a template raised that stands at `path` in pack.yaml."""
    id = next((id for kind, id in _KINDS if isinstance(error, kind)), "template-error")
    said = _SAID.get(type(error)) or getattr(error, "message", None) or str(error)
    if isinstance(error, jinja2.TemplateNotFound) and said == error.name:
        said = f"there is no template {said!r}"
    if id == "template-error" and said and not isinstance(error, jinja2.TemplateError):
        said = f"{type(error).__name__}: {said}"
    said = said or type(error).__name__
    place = _place(error, pack, template)
    if place is None:
        wrong = Diagnostic(id, said, pack.document.name, path)
        return PackFault([wrong], [pack.document])
    said, near, mend = said.partition(": did you mean ")
    name, line = place
    return _at(
        pack.folder / name, line, id, said, f"did you mean {mend}" if near else None
    )


def _at(
    file: pathlib.Path, line: int, id: str, message: str, mend: str | None
) -> PackFault:
    """Mark what the message speaks of in a line of a file, else the whole line."""
    try:
        text = file.read_bytes().decode("utf-8", "replace").removeprefix("\ufeff")
    except OSError:
        text = ""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n")
    line = min(line, len(lines))
    while line < len(lines) and not lines[line - 1].strip():
        line += 1
    shown = lines[line - 1]
    begin, end = len(shown) - len(shown.lstrip()), len(shown.rstrip())
    for quoted in re.findall(r"'([^']+)'", message):
        if match := re.search(rf"(?<!\w){re.escape(quoted)}(?!\w)", shown):
            begin, end = match.span()
    offset = sum(len(each) + 1 for each in lines[: line - 1])
    nowhere: Node = ((0, 0), (0, 0), {})
    document = Document(file.as_posix(), text, None, (), nowhere)
    span = offset + begin, offset + end
    return PackFault(
        [Diagnostic(id, message, document.name, mend=mend, span=span)], [document]
    )


def _place(error: BaseException, pack: Pack, template: str) -> tuple[str, int] | None:
    """Find the line of a template in an exception, or in a traceback that Jinja wrote."""
    folder = f"{pack.folder}/"
    if isinstance(error, jinja2.TemplateSyntaxError):  # some have the file for a name
        return (error.name or template).removeprefix(folder), error.lineno
    place = None
    seen: set[tuple[str, int]] = set()
    trace = error.__traceback__
    while trace is not None:
        frame = trace.tb_frame
        name = frame.f_code.co_filename
        if name.startswith(folder):
            place = name[len(folder) :], trace.tb_lineno
            # The end of the stack is by chance here or there; the way round is not.
            if isinstance(error, RecursionError) and place in seen:
                return place
            seen.add(place)
        parser = frame.f_locals.get("self")
        if isinstance(parser, jinja2.parser.Parser):
            place = parser.name or template, parser.stream.current.lineno
        trace = trace.tb_next
    if place is None and isinstance(error, SyntaxError | RecursionError):
        return template, 1
    return place
