"""What a run has to tell, of whatever form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from ..rules import RULES
from .drift import PURPOSES
from .finding import Finding

MOST = 5_000
"""Findings that a report lists; GitHub shows as many of a SARIF file."""


class Report(Struct, frozen=True):
    """The findings of one run of a command.

    `failure` says why the job could not be done. `purposes` has a sentence on each id
    that is not one of a rule of catalogues.
    """

    command: str
    exit_code: int
    found: Sequence[Finding] = ()
    failure: str | None = None
    purposes: Mapping[str, str] = {}

    def listed(self, most: int = MOST) -> Sequence[Finding]:
        """Return the findings to list; where they are too many, errors before others."""
        if len(self.found) <= most:
            return self.found
        return sorted(self.found, key=lambda one: one.severity != "error")[:most]

    def count(self, severity: str) -> int:
        """Return how many findings are of a severity, listed or not."""
        return sum(one.severity == severity for one in self.found)

    def purpose(self, id: str) -> str:
        """Return a sentence on what findings with an id are about."""
        known = PURPOSES | {r.id: r.purpose for r in RULES} | dict(self.purposes)
        words = id.replace("-", " ")
        return known.get(
            id, f"Errspec can read its files, and they fit together: {words}."
        )


def more(report: Report, shown: int) -> str | None:
    """Return what to say where not all findings are listed."""
    left = len(report.found) - shown
    return f"{left:,} more finding{'s' * (left > 1)} not listed" if left > 0 else None
