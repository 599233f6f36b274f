"""The vectors of the json pack, run against the generated Python; and what they catch."""

from __future__ import annotations

import functools
import json
import pathlib
import re
from collections.abc import Iterator
from typing import Any

import pytest

from packages import imported
from support import CATALOGUES, compile_files
from vector_runner import failures


@functools.cache
def texts(name: str) -> tuple[dict[str, str], Any]:
    """Return the files of a catalogue's Python package, and its vectors."""
    python, data = compile_files(CATALOGUES[name], "python", "json")
    return dict(python.files), json.loads(data.files["vectors.json"])


def put(folder: pathlib.Path, files: dict[str, str]) -> pathlib.Path:
    """Write the files of a package."""
    for path, text in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return folder


def run_vectors(folder: pathlib.Path, files: dict[str, str], vectors: Any) -> list[str]:
    """Write a package, import it, and return what the vectors find wrong in it."""
    with imported(put(folder, files)) as package:
        return failures(package, vectors)


@pytest.mark.parametrize("name", CATALOGUES)
def test_P1_the_vectors_hold(name: str, tmp_path: pathlib.Path) -> None:
    """From the wire and by the class itself: code, class, verdict, and the wire again."""
    files, vectors = texts(name)
    assert run_vectors(tmp_path, files, vectors) == []


@pytest.mark.parametrize("name", CATALOGUES)
def test_every_code_that_is_raised_has_vectors(name: str) -> None:
    """No code is without a vector, but for retired ones, and those that need a native
    cause, which no vector can hold; no name stands for two."""
    [package] = compile_files(CATALOGUES[name], "json")
    codes = json.loads(package.files["catalogue.json"])["codes"]
    vectors = texts(name)[1]["vectors"]
    names = [vector["name"] for vector in vectors]
    assert len(names) == len(set(names))
    raised = [
        code["code"]
        for code in codes
        if code["retired"] is None
        and not any(
            f["type"] == "error" and not f["optional"] for f in code["fields"].values()
        )
    ]
    assert list(dict.fromkeys(vector["code"] for vector in vectors)) == raised


def faults(text: str) -> Iterator[tuple[str, str]]:
    """Yield a module with one verdict turned round, and the place of the fault."""
    places = [
        *re.finditer(r"(?<=        code = ).*\n        retryable = (True|False)", text),
        *(
            fault
            for judge in re.finditer(r"def judge_\w+\((?:.*\n)+?\n", text)
            for fault in re.compile(" return (True|False)\n").finditer(
                text, *judge.span()
            )
        ),
    ]
    for place in places:
        start, end = place.span(1)
        turned = "False" if place[1] == "True" else "True"
        line = text.count("\n", 0, start) + 1
        yield f"line {line}", text[:start] + turned + text[end:]


@pytest.mark.parametrize(
    ("name", "equal"),
    [("agent", 0), ("criogen", 0), ("oma", 1), ("sink", 1), ("family", 1)],
)
def test_the_vectors_notice_every_verdict_that_is_wrong(
    name: str, equal: int, tmp_path: pathlib.Path
) -> None:
    """Any one verdict turned round in errors.py makes a vector fail.

    But for `equal` of them: in sink a rule asks for a field that is required, so what
    comes after is never reached; in family one asks for a cause, which no wire holds.
    """
    files, vectors = texts(name)
    [path] = [path for path in files if path.endswith("/errors.py")]
    unnoticed = [
        place
        for place, wrong in faults(files[path])
        if not run_vectors(tmp_path / place, {**files, path: wrong}, vectors)
    ]
    assert len(unnoticed) == equal, unnoticed


@pytest.mark.parametrize(
    ("right", "wrong", "fault"),
    [
        (
            "500 <= error.status",
            "501 <= error.status",
            "http.connect: rule 1: status 500",
        ),
        ("error.status in (404, 410)", "error.status == 404", "status 410"),
        ("(1, 1), (2, 2)", "(1, 1)", "attempt 2"),
        (
            'error.path in ("a", "b")',
            'error.path == "a"',
            "storage_odd: rule 1: path b",
        ),
        (
            '"denied": "POLICY_DENIED"',
            '"denied": "POLICY_ODD"',
            "POLICY_DENIED: the least",
        ),
        ('("Retry-After", ', '("wait", ', "budget: all fields: "),
        ("__errspec_pinned__: ClassVar[bool | None] = False", "pinned = 0", "budget"),
    ],
)
def test_the_vectors_notice_faults_of_other_kinds(
    right: str, wrong: str, fault: str, tmp_path: pathlib.Path
) -> None:
    """A boundary, a word, a code or a wire name that is wrong makes its vector fail."""
    files, vectors = texts("sink")
    [path] = [path for path in files if path.endswith("/errors.py")]
    assert right in files[path]
    broken = {**files, path: files[path].replace(right, wrong)}
    assert fault in "\n".join(run_vectors(tmp_path, broken, vectors))


@pytest.mark.parametrize("name", CATALOGUES)
def test_CODES_says_what_the_json_says(name: str, tmp_path: pathlib.Path) -> None:
    """Two packs tell the same of every code: all that the catalogue says of it."""
    [package] = compile_files(CATALOGUES[name], "json")
    codes = json.loads(package.files["catalogue.json"])["codes"]
    facts = json.loads(package.files["vectors.json"])["facts"]["python"]
    with imported(put(tmp_path, texts(name)[0])) as python:
        assert list(python.CODES) == [code["code"] for code in codes]
        for code in codes:
            info, local = python.CODES[code["code"]], code["languages"]["python"]
            told = {
                "code": info.code,
                "spellings": list(info.spellings),
                "aliases": list(info.aliases),
                "groups": list(info.groups),
                "meaning": info.meaning,
                "hint": info.hint,
                "pinned": info.pinned,
                "control": info.control,
                "http": info.http,
                "since": info.since,
                "internal": info.internal,
                "docs_url": info.docs_url,
            }
            assert told == {key: code[key] for key in told}
            assert json.loads(json.dumps(info.attributes | {})) == code["attributes"]
            assert info.spelling == local["code"]
            assert list(info.class_names) == local["classes"]
            assert list(info.raised_by) == local["raised_by"]
            assert info.wire == (code["wire"] or local["code"])
            assert info.retryable is code["verdict"]["default"]
            assert info.follows == code["verdict"]["follows"]
            rules = [
                {
                    "when": {k: list(v) for k, v in r.when.items()},
                    "then": r.then,
                    "hint": r.hint,
                }
                for r in info.rules
            ]
            for rule in code["verdict"]["rules"]:
                rule["when"] = {facts.get(k, k): v for k, v in rule["when"].items()}
            assert rules == code["verdict"]["rules"]
            for passing in "deprecated", "retired":
                entry = code[passing] or {}
                assert (getattr(info, passing) or {}) == {
                    k: v for k, v in entry.items() if v
                }


def test_a_large_group_that_is_followed_gives_a_vector_for_each_verdict(
    tmp_path: pathlib.Path,
) -> None:
    """The number of vectors grows with the codes, and not with their square."""
    codes = "".join(
        f"  CODE_{n}: {{group: many, meaning: One., retryable: {verdict}}}\n"
        for n, verdict in enumerate(["true", "false", "unset"] * 40)
    )
    spec = tmp_path / "catalogue.yaml"
    spec.write_text(
        "errspec: 1\nid: big\ntitle: Big\nversion: 0.1.0\nlanguages: [python]\n"
        "base_class: BigError\ngroups: {many: {title: Many}}\ncodes:\n"
        + codes
        + "  F:\n"
        "    meaning: Follows.\n    fields: {inner: {type: {code: many}}}\n"
        "    retryable: {follows: inner, else: false}\n",
        encoding="utf-8",
    )
    [package] = compile_files(spec, "json")
    vectors = json.loads(package.files["vectors.json"])["vectors"]
    told = [v["retryable"] for v in vectors if v["code"] == "F"]
    assert set(told) == {True, False, None}
    assert len(told) <= 6


RULES = {  # what a code has much of, and how many vectors that may give
    "rules": (
        "fields: {s: {type: integer}}, retryable: {else: false, rules: [%s]}",
        [f"{{when: {{s: {3 * n}}}, then: true}}" for n in range(300)],
        range(300, 1000),
    ),
    "values": (
        "fields: {s: {type: string}},"
        " retryable: {else: false, rules: [{when: {s: [%s]}, then: true}]}",
        [f"w{n}" for n in range(300)],
        range(100, 110),
    ),
    "facts": (
        "retryable: {else: false, rules: [{when: {%s}, then: true}]}",
        [f"f{n}: true" for n in range(300)],
        range(100, 210),
    ),
}


@pytest.mark.parametrize("name", RULES)
def test_a_large_verdict_gives_vectors_that_reach_each_rule(
    name: str, tmp_path: pathlib.Path
) -> None:
    """Their number grows with the rules alone, and what they expect is what comes out."""
    rest, many, count = RULES[name]
    spec = tmp_path / "catalogue.yaml"
    context = "".join(f"  f{n}: {{type: boolean}}\n" for n in range(300))
    spec.write_text(
        "errspec: 1\nid: big\ntitle: Big\nversion: 0.1.0\nlanguages: [python]\n"
        f"base_class: BigError\ncontext:\n{context}codes:\n"
        f"  ONE: {{meaning: One., {rest % ', '.join(many)}}}\n"
    )
    python, data = compile_files(spec, "python", "json")
    vectors = json.loads(data.files["vectors.json"])
    assert len(vectors["vectors"]) in count
    reached = {vector["name"].split(": ")[1] for vector in vectors["vectors"]}
    rules = len(many) if name == "rules" else 1
    assert {f"rule {n}" for n in range(1, rules + 1)} <= reached
    assert {True, False} == {vector["retryable"] for vector in vectors["vectors"]}
    assert run_vectors(tmp_path / "package", dict(python.files), vectors) == []
