"""What `errspec breaking` and `errspec diff` find between two states of a catalogue.

`tests/cases/breaking/<name>/` holds `old.yaml`, `new.yaml` and `expected`: a line for
each change with the severity of its finding (- for none), audience, kind, its places in
the new document and in the old, and its message. `--rewrite` rewrites them.
"""

from __future__ import annotations

import pathlib
import re

import pytest

from comparing import side
from errspec.compat import KINDS, TOO_LOW, Comparison, changes
from errspec.compat.judge import finding, judge
from errspec.diagnostics import Diagnostic
from support import CASES

TRIPLES = sorted(path.parent for path in (CASES / "breaking").glob("*/expected"))


def _compared(old: pathlib.Path, new: pathlib.Path) -> Comparison:
    return Comparison(
        side(old.read_text("utf-8"), "old"), side(new.read_text("utf-8"), "new")
    )


def _line(c: Comparison, finding: Diagnostic, severity: str) -> str:
    places = [c.new.document.place(finding)]
    places += [c.old.document.place(r) for r in finding.related if r.file]
    shown = " ".join(f"{p.line}:{p.column}" for p in places)
    facts = finding.facts
    return f"{severity} {facts['audience']}[{finding.id}] {shown}: {finding.message}"


def _lines(c: Comparison) -> list[str]:
    found = changes(c)
    judged = judge(c, found).findings
    severities = {d.facts["fingerprint"]: d.severity for d in judged}
    every = [finding(c, change, KINDS[change.kind], "warning") for change in found]
    every += [d for d in judged if d.id == TOO_LOW.id]
    every.sort(key=lambda d: (c.new.document.place(d)[:2], d.id, d.message))
    return [_line(c, d, severities.get(d.facts["fingerprint"], "-")) for d in every]


@pytest.mark.parametrize("case", TRIPLES, ids=lambda p: p.name)
def test_a_change_is_told_as_its_triple_expects(
    case: pathlib.Path, rewrite: bool
) -> None:
    """Kind, audience, severity, both places and the sentence are as recorded."""
    found = "".join(
        f"{line}\n" for line in _lines(_compared(case / "old.yaml", case / "new.yaml"))
    )
    if rewrite:
        (case / "expected").write_text(found, encoding="utf-8")
    assert found == (case / "expected").read_text(encoding="utf-8")


def test_every_kind_of_change_has_a_triple() -> None:
    """No kind is without a test that shows it."""
    shown = "".join((case / "expected").read_text("utf-8") for case in TRIPLES)
    kinds = set(re.findall(r"\w+\[([a-z-]+)\] ", shown))
    assert kinds == {*KINDS, TOO_LOW.id}


def test_every_triple_shows_the_kind_that_it_is_named_after() -> None:
    """Whoever looks for a kind finds it by its name."""
    for case in TRIPLES:
        kind = case.name.partition("--")[0]
        if kind != "nothing":
            assert f"[{kind}]" in (case / "expected").read_text("utf-8"), case.name
        else:
            assert (case / "expected").read_text("utf-8") == ""
