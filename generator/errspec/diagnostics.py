"""What the stages report: diagnostics, and one tree of exceptions.

No stage prints and none exits: a stage returns or yields `Diagnostic`s, or raises
an `ErrspecError`, and `cli` alone turns them into text and an exit code.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from msgspec import Struct

Path = tuple[str | int, ...]
"""Where an entity stands in its document: ("codes", "TIMEOUT", "retryable")."""

Severity = Literal["error", "warning"]
On = Literal["key", "value"]


class Related(Struct, frozen=True):
    """A second place that a diagnostic speaks of, such as the first of two keys.

    `file` names its document where that is another one than the diagnostic's.
    """

    message: str
    path: Path = ()
    on: On = "key"
    span: tuple[int, int] | None = None
    file: str | None = None


class Diagnostic(Struct, frozen=True):
    """One problem, at one place, with its mend.

    `path` names the place in the document `file`; `source` turns it into line and
    column when the diagnostic is shown. Only `source` itself, which reports on text
    that has no path yet, gives a `span` (character offsets into the document).
    `mend` is what stands under the caret: the shortest text that helps.
    """

    id: str
    message: str
    file: str
    path: Path = ()
    on: On = "value"
    mend: str | None = None
    severity: Severity = "error"
    related: tuple[Related, ...] = ()
    span: tuple[int, int] | None = None
    facts: Mapping[str, str] = {}
    """What else a machine may want to know of it, such as whom a change concerns."""


class ErrspecError(Exception):
    """Base of everything errspec raises on purpose. `exit_code` is the process's."""

    exit_code = 2


class Findings(ErrspecError):
    """Documents were read and say something wrong: exit 1."""

    exit_code = 1

    def __init__(
        self, diagnostics: Sequence[Diagnostic], documents: Sequence[Any] = ()
    ) -> None:
        super().__init__("; ".join(d.message for d in diagnostics))
        self.diagnostics = tuple(diagnostics)
        self.documents = tuple(documents)
        """The documents that the diagnostics speak of, to show their lines."""


class Unreadable(Findings):
    """A document that cannot be read as a catalogue at all: exit 2."""

    exit_code = 2


class PackFault(Findings):
    """A pack or one of its templates is at fault, at a place that is known: exit 2."""

    exit_code = 2


class UsageError(ErrspecError):
    """The command line or the project's set-up asks for what cannot be done: exit 2."""


class PackError(ErrspecError):
    """A pack is at fault, as a whole: exit 2."""


class OutputError(ErrspecError):
    """The output folder cannot be read or written, or must not be: exit 2."""


def has_errors(diagnostics: Iterable[Diagnostic]) -> bool:
    """Tell whether any of the diagnostics is more than a warning."""
    return any(d.severity == "error" for d in diagnostics)


def did_you_mean(word: str, known: Iterable[str], cutoff: int = 60) -> str | None:
    """Return "did you mean X?" for the known word nearest to `word`, if one is near.

    `cutoff` is how near, from 0 to 100.
    """
    from rapidfuzz import fuzz, process  # only findings need it

    near = process.extractOne(
        word,
        list(known),
        scorer=fuzz.ratio,
        processor=str.casefold,
        score_cutoff=cutoff,
    )
    return f"did you mean {near[0]}?" if near else None


def listed(words: Iterable[str], last: str = "or") -> str:
    """Join words as a sentence does: "a, b or c"."""
    *head, tail = [str(w) for w in words] or [""]
    return f"{', '.join(head)} {last} {tail}" if head else tail
