"""A language, as its data file describes it: cases, reserved words, types, literals."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from msgspec import Struct

from .literals import Comments, Strings
from .model import Type
from .schema import text

_NAMES = {
    "class": "pascal",
    "field": "snake",
    "function": "snake",
    "constant": "upper",
    "module": "snake",
}


class Language(Struct, frozen=True, dict=True):
    """What every pack that writes a language shares.

    A language that a catalogue names and no file describes has neutral names.
    """

    name: str
    data: Mapping[str, Any] = {}

    @cached_property
    def title(self) -> str:
        """The language's name as people write it."""
        return text(self.data.get("title", self.name))

    @property
    def short(self) -> str:
        """Its name where there is little room."""
        return text(self.data.get("short", self.title[:2]))

    @cached_property
    def cases(self) -> Mapping[str, str]:
        return {**_NAMES, **self.data.get("names", {})}

    @cached_property
    def class_suffix(self) -> str:
        return text(self.data.get("class_suffix", "Error"))

    @cached_property
    def escape(self) -> str:
        return text(self.data.get("escape", "{name}_"))

    @cached_property
    def reserved(self) -> frozenset[str]:
        """Words that can name nothing."""
        return frozenset(text(w) for w in self.data.get("reserved", ()))

    @cached_property
    def reserved_fields(self) -> frozenset[str]:
        """Words that can name no field."""
        return self.reserved.union(
            text(w) for w in self.data.get("reserved_fields", ())
        )

    @cached_property
    def reserved_constants(self) -> frozenset[str]:
        """Words that can name no constant."""
        words = self.data.get("reserved_constants", ())
        return self.reserved.union(text(w) for w in words)

    def reserved_for(self, use: str) -> frozenset[str]:
        """Return the words that can name nothing of that use."""
        if use == "field":
            return self.reserved_fields
        return self.reserved_constants if use == "constant" else self.reserved

    @cached_property
    def builtins(self) -> frozenset[str]:
        """Names of the language that a class would hide."""
        return frozenset(text(w) for w in self.data.get("builtins", ()))

    @cached_property
    def well_known(self) -> Mapping[str, str]:
        """Names of classes that many programs import, and where those come from."""
        return {n: text(w) for n, w in self.data.get("well_known", {}).items()}

    @cached_property
    def strings(self) -> Strings:
        return Strings.from_data(self.data["strings"])

    @cached_property
    def comments(self) -> Comments:
        return Comments.from_data(self.data["comments"], self.data["strings"])

    def literal(self, value: str | float | Sequence[Any] | None) -> str:
        """Write a text, a number, a boolean or nothing, or a list of such."""
        if isinstance(value, str):
            return self.strings.literal(value)
        literals = self.data["literals"]
        if isinstance(value, (list, tuple)):
            items = ", ".join([self.literal(item) for item in value])
            form = literals.get("one") if len(value) == 1 else None
            return text(form or literals["list"]).format(items=items)
        if value is None:
            return text(literals["null"])
        if isinstance(value, bool):
            return text(literals["true" if value else "false"])
        # As formatters leave it: 1e300 and 1e-7, not 1e+300 and 1e-07.
        return re.sub(r"e\+?(-?)0*(?=\d)", r"e\1", repr(value))

    def annotation(self, type: Type, name: str = "", *, input: bool = False) -> str:
        """Write a type; `name` is that of a set of words. A neutral language has none.

        `input` gives what a constructor takes, where that is wider.
        """
        forms = self.data.get("types", {})
        wider = self.data.get("input_types", {}) if input else {}
        form = text(wider.get(type.kind, forms.get(type.kind, "")))
        item = self.annotation(type.item, name, input=input) if type.item else ""
        return form.format(item=item, name=type.name or name)

    def optional(self, annotation: str) -> str:
        """Write the type of something that may be absent."""
        form = self.data.get("types", {}).get("optional", "{item}")
        return text(form).format(item=annotation)
