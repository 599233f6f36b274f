"""What a run reads, said also where errspec.yaml is wrong: what a watch looks at."""

from __future__ import annotations

import contextlib
import pathlib
from collections.abc import Sequence
from typing import Any, NamedTuple

from . import source
from .diagnostics import Unreadable
from .schema import text


class Inputs(NamedTuple):
    """What a run reads, there or not, as far as errspec.yaml can be read."""

    files: tuple[pathlib.Path, ...]
    folders: tuple[pathlib.Path, ...]
    """Folders of packs."""
    pages: tuple[pathlib.Path, ...]
    """Pages of the user's, into which it writes, too."""


def inputs(specs: Sequence[pathlib.Path], file: pathlib.Path) -> Inputs:
    """Return what a run over the specs, or over all of an errspec.yaml, reads."""
    data: Any = {}
    with contextlib.suppress(Unreadable):
        data = source.read(file).data

    def named(values: Any) -> tuple[pathlib.Path, ...]:
        listed = values if isinstance(values, list) else ()
        scalars = (v for v in listed if isinstance(v, str | int))
        return tuple(file.parent / text(v) for v in scalars)

    if not isinstance(data, dict):
        data = {}
    entries = data.get("catalogues")
    listed = entries if isinstance(entries, list) else ()
    own = named([e.get("spec") for e in listed if isinstance(e, dict)])
    files = dict.fromkeys((file, *(specs or own)))
    return Inputs(tuple(files), named(data.get("templates")), named(data.get("inject")))
