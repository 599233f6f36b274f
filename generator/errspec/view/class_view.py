"""A class of a language, with everything that its constructor needs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from msgspec import Struct

from ..build import message_parts
from ..model import Answer, ErrorClass, Type
from .entries import CodeView, FieldView, VerdictView

MessageParts = tuple[tuple[FieldView | None, str], ...]


class ClassView(Struct, frozen=True, dict=True):
    """A class of the language, with everything that its constructor needs."""

    name: str
    parent: str | None
    """Name of the class it derives from; None for a root."""
    is_base: bool
    meaning: str
    hint: str
    abstract: bool
    open: bool
    pinned: bool
    control: bool
    verdict: VerdictView | None
    codes: tuple[CodeView, ...]
    """Codes that this class is raised with, in this language."""
    all_codes: tuple[str, ...] | None
    """Spellings that an error of it or of a derived class has; None where any text may be."""
    fields: tuple[FieldView, ...]
    """All fields, inherited ones included; required ones first."""
    inherited: frozenset[str]
    """Keys of the fields that it has from its parents."""
    message: str | None
    since: str | None
    internal: bool
    groups: tuple[str, ...]
    """Its own groups; those of its codes where it states none."""
    raised_by: tuple[str, ...]
    attributes: Mapping[str, Any]
    model: ErrorClass | None

    @property
    def shown(self) -> tuple[CodeView, ...]:
        """The codes that its readers need: no internal ones."""
        return tuple(c for c in self.codes if not c.model.internal)

    @property
    def one_verdict(self) -> VerdictView | None:
        """The verdict of all its errors; None where that depends on the code."""
        found = [c.verdict for c in self.shown]
        if self.verdict and (self.open or not found):
            found.append(self.verdict)
        return found[0] if found and all(v == found[0] for v in found) else None

    @cached_property
    def own_fields(self) -> tuple[FieldView, ...]:
        """The fields that its parents do not have."""
        return tuple(f for f in self.fields if f.key not in self.inherited)

    @cached_property
    def optional(self) -> Mapping[str, bool]:
        """Whether each of its fields, by key, may be absent."""
        return {f.key: f.optional for f in self.fields}

    @property
    def spellings(self) -> tuple[str, ...]:
        """What its codes are in this language."""
        return tuple(c.spelling for c in self.codes)

    @cached_property
    def selector(self) -> FieldView | None:
        """The field that decides the code, where each code fixes it to its own word."""
        if len(self.codes) < 2:
            return None
        for candidate in self.fields:
            if candidate.kind == "words" and not candidate.optional:
                words = {c.model.const.get(candidate.key) for c in self.codes}
                if None not in words and len(words) == len(self.codes):
                    return candidate
        return None

    @cached_property
    def shape(self) -> str:
        """How an error is made of it.

        base: code and message. one: the code is fixed. many: one of its codes comes
        first. derived: `selector` decides the code. none: it has no code.
        """
        if self.is_base:
            return "base"
        if self.open or len(self.codes) > 1:
            return "derived" if self.selector and not self.open else "many"
        return "one" if self.codes else "none"

    @property
    def pinned_verdict(self) -> Answer:
        """The verdict that is pinned for all errors of exactly this class; else None."""
        pinned = self.pinned and self.shape in ("one", "none")
        return self.verdict.default if self.verdict and pinned else None

    @property
    def is_control(self) -> bool:
        """Whether all errors of exactly this class are control flow."""
        return self.control and self.shape in ("one", "none")

    @cached_property
    def on_wire(self) -> tuple[tuple[str, str, Type], ...]:
        """Name, wire name and type of each field that travels."""
        return tuple((f.name, f.wire, f.type) for f in self.fields if f.on_wire)

    @cached_property
    def const(self) -> Mapping[str, Any]:
        """Fields that its one code fixes: no constructor takes them."""
        return self.codes[0].model.const if self.shape == "one" else {}

    @cached_property
    def parameters(self) -> tuple[FieldView, ...]:
        """The fields that a constructor takes."""
        return tuple(f for f in self.fields if f.key not in self.const)

    def required_of(self, code: CodeView) -> tuple[FieldView, ...]:
        """Return the fields that are optional on the class and required for the code."""
        required = {f.key for f in code.fields if not f.optional}
        fixed = code.model.const
        return tuple(
            f
            for f in self.fields
            if f.optional and f.key in required and f.key not in fixed
        )

    @cached_property
    def messages(self) -> tuple[tuple[CodeView | None, MessageParts], ...]:
        """The message templates: one for the class, or one for each code that has one.

        A template comes as parts: (field, "") or (None, text). A field that the code
        fixes is text.
        """
        if self.shape in ("one", "none"):
            parts = self.message and self._parts(self.message, self.const)
            return ((None, parts),) if parts else ()
        found = ((code, code.model) for code in self.codes)
        return tuple(
            (code, self._parts(model.message, model.const))
            for code, model in found
            if model.message
        )

    def _parts(self, template: str, const: Mapping[str, Any]) -> MessageParts:
        by_key = {f.key: f for f in self.fields}

        def part(name: str) -> tuple[FieldView | None, str]:
            if name not in const:
                return by_key[name], ""
            fixed = const[name]
            return None, fixed if isinstance(fixed, str) else json.dumps(fixed)

        return tuple(
            part(text) if is_field else (None, text)
            for is_field, text in message_parts(template)
        )
