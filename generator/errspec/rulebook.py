"""The rules explained in the terminal: the list, and a page on each with its examples.

`rules/pages/<id>.yaml` holds what a page says. An example is a part of a catalogue;
`rules/pages/frame.yaml` makes it whole.
"""

from __future__ import annotations

import pathlib
from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from . import source
from .config import Config, Entry
from .diagnostics import Diagnostic, UsageError, did_you_mean
from .project import Project
from .rules import RULES, Rule

PAGES = pathlib.Path(__file__).parent / "rules" / "pages"
NAME = "errors.yaml"
"""What the examples are called in what is found in them."""
TODAY = "2026-11-30"
"""The day on which the examples are looked at."""


class Page(Struct, frozen=True):
    """What is said of a rule, beside its purpose."""

    why: str
    bad: str
    good: str


def page(rule: Rule) -> Page:
    """Read what is said of a rule."""
    data: Any = source.read(PAGES / f"{rule.id}.yaml").data
    return Page(data["why"], data["bad"], data["good"])


def framed(text: str) -> str:
    """Make a part of a catalogue whole; its own lines stay where they are."""
    data: Any = source.parse(text, NAME).data
    frame = (PAGES / "frame.yaml").read_text(encoding="utf-8").splitlines()
    missing = [line for line in frame if line.partition(":")[0] not in data]
    return "\n".join([text.rstrip("\n"), *missing, ""])


def found_in(text: str, rule: Rule) -> tuple[tuple[Diagnostic, ...], source.Document]:
    """Return what is found in an example of a rule, which is on even if it is off by default."""
    document = source.parse(framed(text), NAME)
    here = pathlib.Path()
    entry = Entry(here / NAME, NAME, ("markdown",))
    on: Any = {rule.id: "warning"} if rule.severity == "off" else {}
    config = Config(here, here, (entry,), rules=on, today=TODAY)
    return Project(config).judge(entry, document).diagnostics, document


def listing() -> Iterator[str]:
    """Yield a line for each rule: its id, its severity, what it is for."""
    ids = max(len(rule.id) for rule in RULES)
    severities = max(len(rule.severity) for rule in RULES)
    for rule in RULES:
        yield f"{rule.id:{ids}}  {rule.severity:{severities}}  {rule.purpose}"


def explained(id: str) -> Iterator[str]:
    """Yield all that is to say of a rule. UsageError where there is none of that id."""
    known = {rule.id: rule for rule in RULES}
    if id not in known:
        help = did_you_mean(id, known) or "errspec rules lists them"
        raise UsageError(f"no rule is called {id!r}: {help}")
    rule = known[id]
    said = page(rule)
    found, document = found_in(said.bad, rule)
    yield f"{id} ({rule.severity})"
    yield ""
    yield f"  {rule.purpose}"
    yield f"  {said.why}"
    yield ""
    yield "Bad:"
    yield ""
    yield from _indented(said.bad)
    yield ""
    for diagnostic in found:
        yield from _indented(source.show(diagnostic, document))
    yield ""
    yield "Good:"
    yield ""
    yield from _indented(said.good)
    yield ""
    yield "Another severity, in errspec.yaml:"
    yield ""
    other = "warning" if rule.severity == "off" else "off"
    yield f"  rules: {{{id}: {other}}}".ljust(40) + "# off | warning | error"
    yield ""
    yield "One entry that breaks it on purpose, or the catalogue where it is no entry:"
    yield ""
    yield f"  ignore: {{{id}: the reason}}"


def _indented(text: str) -> Iterator[str]:
    yield from (f"  {line}".rstrip() for line in text.split("\n"))
