"""What `errspec breaking` and `errspec diff` find between two states of a catalogue.

`tests/cases/breaking/<name>/` holds `old.yaml`, `new.yaml` and `expected`: a line for
each change with the severity of its finding (- for none), audience, kind, its places in
the new document and in the old, and its message. `--rewrite` rewrites them.
"""

from __future__ import annotations

import pathlib
import re
from collections import Counter

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


def _fingerprints(c: Comparison) -> list[str]:
    return [d.facts["fingerprint"] for d in judge(c, changes(c)).findings]


def test_a_fingerprint_stays_however_the_documents_move() -> None:
    """Two findings never share one; lines above and the order of entries change none."""
    for case in TRIPLES:
        c = _compared(case / "old.yaml", case / "new.yaml")
        found = _fingerprints(c)
        assert len(set(found)) == len(found), case.name
        moved = side(f"# a comment\n\n{c.new.document.text}", "moved")
        again = _fingerprints(Comparison(c.old, moved))
        assert sorted(again) == sorted(found), case.name


def test_a_finding_says_whom_it_concerns() -> None:
    """What a machine needs beside the place is in its facts."""
    case = CASES / "breaking" / "verdict-flipped"
    c = _compared(case / "old.yaml", case / "new.yaml")
    [found] = judge(c, changes(c)).findings
    assert found.facts["audience"] == "behaviour"
    assert found.facts["code"] == "OUT_OF_STOCK"
    assert found.facts["bump"] == "major"


def _many(count: int, prefix: str) -> str:
    head = "errspec: 1\nid: x\ntitle: X\nversion: 1.0.0\nlanguages: python\nbase_class: XError\n"
    codes = (
        f"  {prefix}_{n}: {{meaning: Number {n} failed., retryable: false}}\n"
        for n in range(count)
    )
    return f"{head}codes:\n{''.join(codes)}"


def test_more_codes_than_can_be_compared_are_told_as_gone() -> None:
    """Likeness costs a step for each pair: past a limit it is not looked for, and no
    code is passed over for that."""
    for count, kind in ((50, "code-renamed"), (400, "code-removed")):
        c = Comparison(side(_many(count, "A"), "old"), side(_many(count, "B"), "new"))
        found = Counter(d.id for d in judge(c, changes(c)).findings)
        assert found == {kind: count}
