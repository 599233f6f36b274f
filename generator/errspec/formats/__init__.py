"""Findings in the forms that programs read: JSON, GitHub's commands, SARIF.

A format is a function from a `Report` to text. None of a catalogue's texts can be an
order in it: to a terminal, to a CI server, or to the reader of the format.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from . import github, json, sarif
from .drift import drift
from .finding import Finding, Names, Place, findings
from .report import Report

__all__ = [
    "FORMATS",
    "Finding",
    "Names",
    "Place",
    "Report",
    "drift",
    "findings",
]

FORMATS: Mapping[str, Callable[[Report], str]] = {
    "json": json.text,
    "github": github.text,
    "sarif": sarif.text,
}
