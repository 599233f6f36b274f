"""The catalogue as errspec understands it: plain frozen data, no language in sight.

Every reference is resolved and everything inheritable is inherited (`build` does
that); names that depend on a language are the View's.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

Answer = bool | None
"""A verdict as a value: True, False, or None for `unset`."""


class Type(Struct, frozen=True):
    """Type of a field. `kind` says which of the other members count.

    Kinds: string integer number boolean json http_status duration_ms timestamp
    error retry_after, and words (`words`, `open`), list and map (`item`),
    code (`name` is the group), record (`name` is the record).
    """

    kind: str
    words: tuple[str, ...] = ()
    open: bool = False
    item: Type | None = None
    name: str = ""


class Field(Struct, frozen=True):
    """Something an error, a record or a retry's context carries."""

    name: str
    type: Type
    optional: bool = False
    meaning: str = ""
    wire: str | None = None


class Test(Struct, frozen=True):
    """One `name: test` of a `when`; it holds where any of its values does.

    Of `words`, `flags` (booleans) and `ranges` (inclusive whole numbers) those count
    that the field's type allows; `present` asks only that there is a value. `shown`
    are the values as the catalogue wrote them. `context` tells a fact of the caller
    from a field of the error.
    """

    name: str
    type: Type
    context: bool
    shown: tuple[str, ...]
    words: tuple[str, ...] = ()
    flags: tuple[bool, ...] = ()
    ranges: tuple[tuple[int, int], ...] = ()
    present: bool = False


class Rule(Struct, frozen=True):
    """One rule of a verdict: where all tests hold, `then` is the answer."""

    when: tuple[Test, ...]
    then: Answer
    hint: str = ""


class Verdict(Struct, frozen=True):
    """Whether a retry can help: the first rule that matches, else `default`.

    With `follows` the answer is that of the code which the field of this name
    holds, and `default` where it holds none that is known.
    """

    default: Answer
    rules: tuple[Rule, ...] = ()
    follows: str | None = None

    @property
    def conditional(self) -> bool:
        """Tell whether the answer depends on the circumstances."""
        return bool(self.rules) or self.follows is not None


class Deprecation(Struct, frozen=True):
    since: str
    use: str | None = None
    reason: str = ""
    sunset: str | None = None


class Retirement(Struct, frozen=True):
    since: str
    reason: str
    use: str | None = None


class Local(Struct, frozen=True):
    """What one language does differently with a code; None means no difference."""

    code: str | None = None
    absent: bool = False
    reason: str = ""
    raised_by: tuple[str, ...] | None = None
    meaning: str = ""
    hint: str = ""


class ErrorClass(Struct, frozen=True):
    """A declared class. `fields` and the verdict include what it inherits."""

    name: str
    extends: str | None
    """The parent's name; None for a root: the base class, and `extends: none`."""
    declared: bool = True
    """False for a base class without an entry of its own."""
    meaning: str = ""
    hint: str = ""
    verdict: Verdict | None = None
    groups: tuple[str, ...] = ()
    abstract: bool = False
    open: bool = False
    pinned: bool = False
    control: bool = False
    fields: tuple[Field, ...] = ()
    raised_by: tuple[str, ...] = ()
    message: str | None = None
    http: int | None = None
    since: str | None = None
    deprecated: Deprecation | None = None
    internal: bool = False
    links: tuple[str, ...] = ()
    attributes: Mapping[str, Any] = {}
    ignore: Mapping[str, str] = {}


class Code(Struct, frozen=True):
    """One error code. `fields`, verdict and the like include what it inherits."""

    key: str
    meaning: str
    verdict: Verdict
    hint: str = ""
    groups: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    """Declared classes that carry it; empty where it has its own class or none."""
    own_class: bool = False
    """Whether a class of its own is derived from it."""
    class_name: str | None = None
    """Name of that class where the catalogue states it."""
    extends: str | None = None
    """Parent of that class."""
    pinned: bool = False
    control: bool = False
    fields: tuple[Field, ...] = ()
    own_fields: frozenset[str] = frozenset()
    """Those that it states, fixes, or speaks of in its message or verdict."""
    const: Mapping[str, Any] = {}
    raised_by: tuple[str, ...] = ()
    languages: Mapping[str, Local] = {}
    message: str | None = None
    http: int | None = None
    wire: str | int | None = None
    aliases: tuple[str, ...] = ()
    since: str | None = None
    deprecated: Deprecation | None = None
    retired: Retirement | None = None
    internal: bool = False
    links: tuple[str, ...] = ()
    attributes: Mapping[str, Any] = {}
    ignore: Mapping[str, str] = {}

    def fields_on(self, cls: ErrorClass) -> tuple[Field, ...]:
        """Return the fields that it has as an error of a declared class.

        What only another of its classes brings stays there.
        """
        known = {f.name for f in cls.fields}
        return tuple(f for f in self.fields if f.name in known | self.own_fields)

    def carriers(self, base: str) -> tuple[str, ...]:
        """Return the declared classes that make it: the base class where none carries it."""
        made = self.classes or self.own_class or self.retired
        return self.classes if made else (base,)


class Group(Struct, frozen=True):
    key: str
    title: str
    meaning: str = ""


class Record(Struct, frozen=True):
    name: str
    fields: tuple[Field, ...]
    meaning: str = ""


class Retry(Struct, frozen=True):
    """Defaults of the generated retry layer. Delays in milliseconds."""

    wrappers: tuple[str, ...] = ()
    max_retries: int = 3
    initial_delay_ms: int = 1000
    backoff_factor: str = "2.0"
    max_delay_ms: int = 60000
    jitter: bool = True
    on_failure: str = "error"


class Outcome(Struct, frozen=True):
    """What a failed run says: the code of its status, and the kind of its error."""

    status: str
    kind: str


class Classification(Struct, frozen=True):
    """How errors become what a failed run says of them.

    `status` and `kind` are the attributes that say it; an error without them is
    `otherwise`. Limits are the characters that are kept of a message.
    """

    status: str
    kind: str
    otherwise: Outcome
    cancellation: Outcome
    status_limit: int = 256
    info_limit: int = 1024


class Catalogue(Struct, frozen=True):
    """One catalogue; mappings keep the order of the document."""

    id: str
    title: str
    version: str
    languages: tuple[str, ...]
    base_class: str
    class_per_code: bool
    acronyms: tuple[str, ...]
    compatibility: str
    docs_url: str | None
    wire_case: str
    fields_under: str | None
    groups: Mapping[str, Group]
    records: Mapping[str, Record]
    attributes: Mapping[str, Field]
    context: Mapping[str, Field]
    classes: Mapping[str, ErrorClass]
    codes: Mapping[str, Code]
    retry: Mapping[str, Retry]
    """Per language; empty where no retry layer is asked for."""
    foreign_errors: Verdict | None
    cancellations: tuple[str, ...] = ()
    """Names of foreign classes whose errors are cancellations."""
    classification: Classification | None = None
