"""Finds the templates and schemas: in the installed package, else in the checkout.

No build back end lets `importlib.resources` find a top-level `templates/` folder in
an editable install, so both places are looked at, in this one module.
"""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_CHECKOUT = _PACKAGE.parent.parent


def folder(name: str) -> Path:
    """Return the folder `templates` or `spec` that belongs to this errspec."""
    inside = _PACKAGE / name
    return inside if inside.is_dir() else _CHECKOUT / name
