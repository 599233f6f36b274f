"""What a rule looks at."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from ..model import Catalogue
from ..packs import Pack
from ..view import View


class Subject(Struct, frozen=True):
    """What a rule looks at: a catalogue, through its languages, and the packs to run."""

    catalogue: Catalogue
    views: Mapping[str, View]
    packs: tuple[Pack, ...]
    file: str
    data: Mapping[str, Any]
    """The document as read, what was set aside included."""
    whole: bool
    """Whether nothing was set aside: else what is missing may only be wrong."""
    described: tuple[str, ...] = ()
    """The languages that a file describes, so that a pack can write them."""
