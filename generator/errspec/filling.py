"""Fills the templates of a pack: where each file goes, and what a template writes.

What a template raises becomes the PackFault that shows its line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import jinja2
from msgspec import Struct

from . import manifest
from .diagnostics import Diagnostic, PackFault, Path, listed
from .packs import Pack, PackFile
from .view import View

_PLACEHOLDER = re.compile(r"\{(\w+)\}")


def items(view: View, each: str) -> Iterator[tuple[Any, str]]:
    """Yield what a file is written for, and the name of it in a path."""
    if each == "catalogue":
        yield view, view.id
    elif each == "group":
        for group in view.groups:
            yield group, view.name(group.key or "other", "module")
    else:
        for code in view.codes:
            yield code, view.name(code.key, "module")


class Place(Struct, frozen=True):
    """An entry of a pack's `files`, to be blamed for what it asks for."""

    pack: Pack
    number: int

    def fault(
        self, id: str, message: str, key: str = "to", mend: str | None = None
    ) -> PackFault:
        return pack_fault(self.pack, ("files", self.number, key), id, message, mend)

    def path(self, form: str, values: Mapping[str, Any]) -> str:
        """Put values into the placeholders of a path, which every system must hold."""
        fills = {
            name: str(value)
            for name, value in values.items()
            if isinstance(value, str | int) and not isinstance(value, bool)
        }
        for name in _PLACEHOLDER.findall(form):
            if name not in fills:
                fault = f"nothing fills {{{name}}} in a path"
                raise self.fault("output-path", fault, mend=f"there is {listed(fills)}")
        path = _PLACEHOLDER.sub(lambda match: fills[match[1]], form)
        try:
            return manifest.canonical(path)
        except ValueError as error:
            raise self.fault("output-path", f"the path {path!r} {error}") from None


def pack_fault(
    pack: Pack, path: Path, id: str, message: str, mend: str | None = None
) -> PackFault:
    found = Diagnostic(id, message, pack.document.name, path, mend=mend)
    return PackFault([found], [pack.document])


def wanted(
    environment: jinja2.Environment,
    file: PackFile,
    names: dict[str, Any],
    place: Place,
) -> bool:
    if file.when is None:
        return True
    try:
        return bool(environment.compile_expression(file.when, False)(**names))
    except Exception as error:  # it is the pack's expression, which may do anything
        said = getattr(error, "message", None) or str(error) or type(error).__name__
        said, near, mend = said.partition(": did you mean ")
        hint = f"did you mean {mend}" if near else None
        raise place.fault("wrong-condition", said, "when", hint) from None


def text_of(
    environment: jinja2.Environment,
    file: PackFile,
    names: dict[str, Any],
    place: Place,
) -> str:
    if file.template is not None:
        path = ("files", place.number, "template")
        return filled(environment, place.pack, file.template, path, names)
    return _ended(file.text) if place.pack.trusted else _fixed(environment, file, place)


def filled(
    environment: jinja2.Environment,
    pack: Pack,
    template: str,
    path: Path,
    names: Mapping[str, Any],
) -> str:
    """Return what a template writes, which pack.yaml names at `path`."""
    with blaming(pack, template, path):
        return _ended(environment.get_template(template).render(names))


@contextmanager
def blaming(pack: Pack, template: str, path: Path) -> Iterator[None]:
    """Turn what a template raises into the PackFault that shows its line."""
    try:
        yield
    except PackFault:  # of another pack, whose lines this one shows
        raise
    except Exception as error:  # whatever a template may do
        from . import faults  # only then

        raise faults.found(error, pack, template, path) from error


def _fixed(environment: jinja2.Environment, file: PackFile, place: Place) -> str:
    """Return the text of a pack of the user's, which counts like that of a template."""
    try:
        return _ended(environment.concat([file.text]))
    except jinja2.TemplateError as error:
        said = error.message or ""
        raise place.fault("template-limit", said, "text") from None


def _ended(text: str) -> str:
    """Return a text with LF and exactly one at its end; an empty one stays empty."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.rstrip("\n") + "\n" if text.strip() else ""
