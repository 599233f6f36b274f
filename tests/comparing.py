"""Catalogues made ready for a comparison."""

from __future__ import annotations

from errspec import source
from errspec.build import build
from errspec.compat import Side
from errspec.compat.base import lenient
from errspec.model import Catalogue
from errspec.packs import Library
from errspec.render import Renderer
from errspec.schema import check
from errspec.view import View

LIBRARY = Library()


def view(catalogue: Catalogue) -> View:
    """Return the neutral view of a catalogue."""
    return Renderer(LIBRARY).view(catalogue, "x.yaml", None)


def side(text: str, name: str) -> Side:
    """Read a catalogue that must be sound."""
    document = source.parse(text, name)
    found = [*document.diagnostics, *check(document, "catalogue")]
    catalogue, wrong = build(document, found)
    errors = [d for d in (*found, *wrong) if d.severity == "error"]
    assert not errors, (name, errors)
    return Side(catalogue, document, view(catalogue).languages)


def lenient_side(text: str, name: str) -> Side:
    """Read what can be read of a catalogue."""
    return lenient(source.parse(text, name), view)[0]
