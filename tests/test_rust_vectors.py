"""The vectors run against the generated crates, and every fault in one is noticed."""

from __future__ import annotations

import pathlib

import pytest

from rust import Crate, catalogue, crate, run_tests, vector_test, workspace
from support import CASES, CATALOGUES

# One fault of each kind: a file of a crate, what is right, and the vector that tells.
FAULTS = {
    "a verdict of the table": (
        ("criogen", "src/codes.rs", 'key: "overloaded",'),
        ("retryable: Some(true)", "retryable: Some(false)"),
        "overloaded: the least",
    ),
    "what a rule says": (
        ("sink", "src/verdicts.rs", "fn judge_eval_failed"),
        ("Some(false)", "Some(true)"),
        "eval_failed: the least",
    ),
    "what holds otherwise": (
        ("sink", "src/verdicts.rs", "fn judge_storage_odd"),
        ("    Some(true)", "    Some(false)"),
        "storage_odd: the least",
    ),
    "a boundary": (
        ("sink", "src/verdicts.rs", "fn judge_http_connect"),
        ("(500, 599)", "(501, 599)"),
        "http.connect: rule 1: status 500",
    ),
    "a word": (
        ("sink", "src/verdicts.rs", "fn judge_storage_odd"),
        ('["a", "b"]', '["a"]'),
        "storage_odd: rule 1: path b",
    ),
    "a fact of the caller": (
        ("family", "src/verdicts.rs", "fn judge_classed"),
        ("&[true]", "&[false]"),
        "CLASSED: rule 1: class True",
    ),
    "whose verdict another has": (
        ("criogen", "src/verdicts.rs", "fn judge_model_failed"),
        ("Some(false))", "Some(true))"),
        "model_failed: follows no such code",
    ),
    "a name on the wire": (
        ("sink", "src/details.rs", "impl crate::Fields for Budget"),
        ('"Retry-After"', '"wait"'),
        "budget: all fields: wire",
    ),
    "a pin": (
        ("sink", "src/codes.rs", 'key: "budget",'),
        ("pinned: true", "pinned: false"),
        "budget: all fields: told true",
    ),
}


@pytest.fixture(scope="module")
def crates(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Crate]:
    """The crate of each catalogue."""
    folder = tmp_path_factory.mktemp("crates")
    return {name: crate(catalogue(name), folder) for name in CATALOGUES}


def test_P1_the_vectors_hold_and_notice_what_is_wrong(
    crates: dict[str, Crate], tmp_path: pathlib.Path
) -> None:
    """Code, status, verdict and wire form are those of the vectors; and in a crate with
    one fault, of whichever kind, they are not."""
    wrong: dict[str, Crate] = {}
    for number, ((name, path, after), (right, fault), _) in enumerate(FAULTS.values()):
        head, start, rest = crates[name].files[path].partition(after)
        assert start and right in rest
        text = head + start + rest.replace(right, fault, 1)
        files = {**crates[name].files, path: text}
        wrong[f"wrong{number}"] = Crate(files, crates[name].view, crates[name].vectors)
    every = {**crates, **wrong}
    tests = {name: {"vectors": vector_test(each)} for name, each in every.items()}
    folder = workspace(tmp_path, every, tests)
    told = run_tests(folder)
    assert not [fault for name in crates for fault in told.get(name, [])]
    for name, (about, (*_, vector)) in zip(wrong, FAULTS.items(), strict=True):
        found = told.get(name, [])
        assert any(line.startswith(vector) for line in found), (about, found)


def test_a_program_finds_what_the_contract_promises(
    crates: dict[str, Crate], tmp_path: pathlib.Path
) -> None:
    """Stamps, pins, context, the wire, Retry-After, conversions: tried in Rust itself."""
    text = (CASES / "rust" / "sink.rs").read_text(encoding="utf-8")
    own = {"sink": crates["sink"]}
    folder = workspace(tmp_path, own, {"sink": {"contract": text}})
    assert run_tests(folder) == {}
