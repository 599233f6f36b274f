"""What a View is made of: codes, classes, fields, verdicts, in a language's names."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from ..model import Answer, Code, Type


class WordSet(Struct, frozen=True):
    """A set of words as a type of its own; `open` lets other words in."""

    name: str
    words: tuple[str, ...]
    open: bool


class FieldView(Struct, frozen=True):
    """A field with its name and type in the language. `key` is the catalogue's name."""

    key: str
    name: str
    wire: str
    type: Type
    words: WordSet | None
    annotation: str
    """The type of the attribute; an optional field's includes the absence."""
    input: str
    """The type that a constructor takes; without the absence."""
    optional: bool
    meaning: str

    @property
    def kind(self) -> str:
        return self.type.kind

    @property
    def on_wire(self) -> bool:
        """Tell whether the field travels: a native cause does not."""
        return self.type.kind != "error"


class TestView(Struct, frozen=True):
    """One test of a rule: which name, and which values match.

    `words`, `flags` and `ranges` (inclusive) are those that count; words that name a
    code come in all its spellings. `many` tells that the field is a list, of which one
    element suffices; `present` that any value will do.
    """

    key: str
    name: str
    kind: str
    context: bool
    many: bool
    present: bool
    words: tuple[str, ...]
    flags: tuple[bool, ...]
    ranges: tuple[tuple[int, int], ...]
    shown: tuple[str, ...]

    @property
    def numbers(self) -> tuple[int, ...]:
        """The single numbers among the ranges."""
        return tuple(low for low, high in self.ranges if low == high)

    @property
    def spans(self) -> tuple[tuple[int, int], ...]:
        """The ranges of more than one number."""
        return tuple((low, high) for low, high in self.ranges if low != high)


class RuleView(Struct, frozen=True):
    when: tuple[TestView, ...]
    then: Answer
    hint: str


class VerdictView(Struct, frozen=True):
    default: Answer
    rules: tuple[RuleView, ...]
    follows: FieldView | None

    @property
    def conditional(self) -> bool:
        return bool(self.rules) or self.follows is not None

    @property
    def fields(self) -> frozenset[str]:
        """Keys of the fields that it depends on."""
        tests = (test for rule in self.rules for test in rule.when)
        followed = [self.follows.key] if self.follows else []
        return frozenset([*(t.key for t in tests if not t.context), *followed])


class CodeView(Struct, frozen=True):
    """A code as the language spells it. `model` is the catalogue's own entry."""

    model: Code
    key: str
    spelling: str
    """What an error of this language has as its code."""
    constant: str
    spellings: tuple[str, ...]
    """Every spelling in any language; the key comes first."""
    meaning: str
    hint: str
    raised_by: tuple[str, ...]
    absent: Mapping[str, str]
    """Languages that never raise it, each with the reason."""
    is_raised: bool
    """Whether this language raises it: not absent, and not retired."""
    verdict: VerdictView
    fields: tuple[FieldView, ...]
    docs_url: str | None
    class_names: tuple[str, ...] = ()
    """Classes of this language that carry it."""

    @property
    def wire(self) -> str | int:
        """What this language writes on the wire."""
        return self.spelling if self.model.wire is None else self.model.wire

    @property
    def wires(self) -> tuple[str | int, ...]:
        """Everything that a language writes on the wire for it."""
        return self.spellings if self.model.wire is None else (self.model.wire,)

    @property
    def texts(self) -> tuple[str, ...]:
        """Everything that it is called: spellings, aliases, its value on the wire."""
        wire = () if self.model.wire is None else (str(self.model.wire),)
        return (*self.spellings, *self.model.aliases, *wire)

    @property
    def deciding(self) -> tuple[FieldView, ...]:
        """The fields on the wire that its verdict depends on."""
        keys = self.verdict.fields
        return tuple(f for f in self.fields if f.key in keys and f.on_wire)

    @property
    def pinned(self) -> bool:
        return self.model.pinned

    @property
    def control(self) -> bool:
        return self.model.control


class RecordView(Struct, frozen=True):
    name: str
    fields: tuple[FieldView, ...]
    meaning: str

    @property
    def own_fields(self) -> tuple[FieldView, ...]:
        return self.fields


class GroupView(Struct, frozen=True):
    key: str
    title: str
    meaning: str
    codes: tuple[CodeView, ...]

    @property
    def shown(self) -> tuple[CodeView, ...]:
        """The codes that its readers need: no retired and no internal ones."""
        return tuple(c for c in self.codes if not (c.model.internal or c.model.retired))
