"""Each rule finds what it is there for, finds nothing else, and can be ignored.

`tests/cases/rules/<id>/` holds parts of catalogues: in `bad.yaml` the rule finds what
`bad.txt` says, in `good.yaml` none finds anything, and in `ignored.yaml` all is ignored.
`pytest tests/test_rules.py --rewrite` rewrites `bad.txt`.
"""

from __future__ import annotations

import pathlib
import re

import pytest

from errspec import rulebook, source
from errspec.config import Config, Entry
from errspec.project import Project
from errspec.rules import RULES, Rule
from support import CASES, ROOT

FOLDERS = CASES / "rules"
SPECS = sorted(
    path
    for folder in (ROOT / "spec", CASES / "catalogues")
    for path in folder.glob("*.yaml")
    if path.stem != "lengths"  # a form, to be filled in
)


def _found(path: pathlib.Path, rule: Rule) -> tuple[list[str], str]:
    """Return the ids of what is found in a part of a catalogue, and how it is shown."""
    found, document = rulebook.found_in(path.read_text(encoding="utf-8"), rule)
    return [d.id for d in found], "".join(
        f"{source.show(d, document)}\n" for d in found
    )


def test_every_rule_has_its_cases_and_its_page() -> None:
    """A rule that nobody has tried, or explained, is none."""
    ids = {rule.id for rule in RULES}
    assert len(ids) == len(RULES)
    assert {p.name for p in FOLDERS.iterdir()} == ids
    assert {p.stem for p in rulebook.PAGES.iterdir()} == ids | {"frame"}


@pytest.mark.parametrize("rule", RULES, ids=lambda r: r.id)
def test_a_rule_finds_what_its_case_says_and_nothing_else(
    rule: Rule, rewrite: bool
) -> None:
    """In the bad case this rule alone finds something, at the place and with the mend."""
    folder = FOLDERS / rule.id
    ids, shown = _found(folder / "bad.yaml", rule)
    expected = folder / "bad.txt"
    if rewrite:
        expected.write_text(shown, encoding="utf-8")
    assert set(ids) == {rule.id}
    assert shown == expected.read_text(encoding="utf-8")


@pytest.mark.parametrize("case", ["good", "ignored"])
@pytest.mark.parametrize("rule", RULES, ids=lambda r: r.id)
def test_what_is_nearly_wrong_and_what_is_ignored_are_no_findings(
    rule: Rule, case: str
) -> None:
    """No rule, this one or another, finds anything."""
    assert _found(FOLDERS / rule.id / f"{case}.yaml", rule)[1] == ""


@pytest.mark.parametrize("rule", RULES, ids=lambda r: r.id)
def test_a_case_is_ignored_by_its_ignore(rule: Rule) -> None:
    """Without it the same catalogue breaks the rule, and no other."""
    text = (FOLDERS / rule.id / "ignored.yaml").read_text(encoding="utf-8")
    bare = re.sub(rf"(, )?{rule.id}: [^}}]*", "", text)
    assert bare != text
    assert {d.id for d in rulebook.found_in(bare, rule)[0]} == {rule.id}


@pytest.mark.parametrize("rule", RULES, ids=lambda r: r.id)
def test_the_examples_of_a_page_are_what_they_are_called(rule: Rule) -> None:
    """The bad one is found by this rule alone, the good one by none."""
    page = rulebook.page(rule)
    assert {d.id for d in rulebook.found_in(page.bad, rule)[0]} == {rule.id}
    assert rulebook.found_in(page.good, rule)[0] == ()


@pytest.mark.parametrize("rule", RULES, ids=lambda r: r.id)
def test_a_page_explains_a_rule(rule: Rule) -> None:
    """Purpose, reason, both examples with the finding, and how to have it otherwise."""
    shown = "\n".join(rulebook.explained(rule.id))
    page = rulebook.page(rule)
    for part in (
        f"{rule.id} ({rule.severity})",
        rule.purpose,
        page.why,
        *page.bad.split("\n"),
        *page.good.split("\n"),
        f"[{rule.id}]: ",
        f"rules: {{{rule.id}: ",
        f"ignore: {{{rule.id}: ",
    ):
        assert part in shown


def test_the_page_of_the_rules_lists_them() -> None:
    """It names each, in the order of `errspec rules`."""
    shown = (ROOT / "docs/rules.md").read_text(encoding="utf-8")
    places = [shown.find(f"`{rule.id}`") for rule in RULES]
    assert -1 not in places and places == sorted(places)


MANY = """
context: {{attempt: {{type: integer}}, first: {{type: integer}}, idempotent: {{type: boolean}}}}
codes:
  TRIED:
    meaning: It was tried.
    retryable:
      rules:
{rules}
      else: unset
"""


@pytest.mark.parametrize(
    ("late", "first"),
    [
        ("{attempt: 7}", "7"),
        ("{attempt: [6, 7]}", "together"),
        ("{attempt: 7, idempotent: true}", "7"),
        ("{attempt: 7, first: 1}", "7"),
        ("{attempt: 8, first: 8}", "8"),
        ("{attempt: 8, first: [8, 9]}", "none"),
        ("{attempt: 8}", "none"),
        ("{attempt: any}", "none"),
        ("{idempotent: false}", "last"),
        ("{idempotent: any, attempt: 8}", "last"),
    ],
)
@pytest.mark.parametrize("more", [0, 1000])
def test_a_rule_is_found_behind_many(late: str, first: str, more: int) -> None:
    """Thousands of rules are looked up, and a few compared: with the same answer."""
    rules = [f"{{attempt: {n}}}" for n in range(8)]
    rules += ["{attempt: 8, first: 8}"]
    rules += [f"{{attempt: {n}, first: {n}}}" for n in range(10, more)]
    rules += ["{idempotent: [true, false]}", late]
    lines = [f"        - {{when: {when}, then: true}}" for when in rules]
    found, _ = rulebook.found_in(MANY.format(rules="\n".join(lines)), RULES[0])
    shadowed = [d for d in found if d.id == "shadowed-rule"]
    assert [d.path[-2] for d in shadowed] == [len(rules) - 1] * (first != "none")
    places = [related.path[-2] for d in shadowed for related in d.related]
    there = len(rules) - 2 if first == "last" else first
    assert places == ([] if first in ("none", "together") else [int(there)])


IGNORES = """
codes:
  CARD_LOST: {{retryable: false, meaning: The card was reported lost., ignore: {{{id}: why}}}}
"""


@pytest.mark.parametrize(
    ("id", "found"),
    [
        ("meaning-full-stop", ["useless-ignore"]),
        ("no-http-status", []),
        ("sunset-passed", ["useless-ignore"]),
        ("bidi-txt", ["unknown-rule"]),
        ("useless-ignore", ["useless-ignore"]),
    ],
)
def test_an_ignore_is_useless_only_where_its_rule_has_looked(
    id: str, found: list[str]
) -> None:
    """Of a rule that is off nobody knows what it would find."""
    diagnostics, _ = rulebook.found_in(IGNORES.format(id=id), RULES[0])
    assert [d.id for d in diagnostics] == found


def test_without_a_day_sunsets_are_not_looked_at(tmp_path: pathlib.Path) -> None:
    """No finding depends on the clock, and no ignore of the rule is useless then."""
    part = IGNORES.format(id="sunset-passed") + (
        "  CARD_BAD: {retryable: false, meaning: The reader refused it.,"
        " deprecated: {since: 1.0.0, reason: Old., sunset: 1999-01-01}}\n"
    )
    spec = tmp_path / "shop.yaml"
    spec.write_text(rulebook.framed(part), encoding="utf-8")
    for day, ids in ((None, []), ("2026-11-30", ["useless-ignore", "sunset-passed"])):
        project = Project(Config(tmp_path, tmp_path, (Entry(spec, "s"),), today=day))
        assert [d.id for d in project.load_all()[0].diagnostics] == ids


@pytest.mark.parametrize("spec", SPECS, ids=lambda p: p.stem)
def test_no_rule_finds_anything_in_our_catalogues(spec: pathlib.Path) -> None:
    """Where one breaks a rule on purpose it says why."""
    project = Project(
        Config(
            ROOT, ROOT / "generated", (Entry(spec, spec.name),), today=rulebook.TODAY
        )
    )
    [loaded] = project.load_all()
    ids = {d.id for d in loaded.diagnostics}
    assert ids <= {"ambiguous-key"}, loaded.diagnostics
