"""The vectors run against the generated TypeScript, and the wire between both languages."""

from __future__ import annotations

import functools
import json
import pathlib
import random
import re
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import pytest

from errspec.naming import cased
from javascript import catalogue, files_of, run_node
from support import CATALOGUES, ROOT

RUNNER = ROOT / "tests" / "vector_runner.mjs"


@pytest.fixture(scope="module")
def texts(
    tmp_path_factory: pytest.TempPathFactory,
) -> Callable[[str], tuple[dict[str, str], str]]:
    """A function to a catalogue's TypeScript files and its vectors."""

    @functools.cache
    def load(name: str) -> tuple[dict[str, str], str]:
        folder = tmp_path_factory.mktemp(name)
        files, data = files_of(catalogue(name), folder, "typescript", "json")
        return files, data["vectors.json"]

    return load


def failures(
    folder: pathlib.Path, variants: list[dict[str, str]], vectors: str
) -> list[list[str]]:
    """Return what the vectors find wrong in each variant of a package."""
    (folder / "vectors.json").write_text(vectors, encoding="utf-8")
    jobs = []
    for number, files in enumerate(variants):
        package = folder / str(number)
        package.mkdir()
        for path, text in files.items():
            (package / path).write_text(text, encoding="utf-8")
        job = {"package": str(package), "vectors": str(folder / "vectors.json")}
        jobs.append(job)
    found: list[list[str]] = json.loads(run_node(RUNNER, input=jobs))
    return found


@pytest.mark.parametrize("name", CATALOGUES)
def test_P1_the_vectors_hold(name: str, texts: Any, tmp_path: pathlib.Path) -> None:
    """From the wire and by the class itself: code, class, verdict, and the wire again."""
    files, vectors = texts(name)
    assert failures(tmp_path, [files], vectors) == [[]]


def faults(text: str) -> Iterator[tuple[str, str]]:
    """Yield index.js with one verdict of a class turned round, and the fault's place."""
    classes = text.index("const BY_TEXT"), text.index("const CLASSES")
    pattern = re.compile(r"^ +retryable: (true|false),$| return (true|false);$", re.M)
    for place in pattern.finditer(text, *classes):
        start, end = place.span(1) if place[1] else place.span(2)
        turned = "false" if text[start:end] == "true" else "true"
        line = text.count("\n", 0, start) + 1
        yield f"line {line}", text[:start] + turned + text[end:]


@pytest.mark.parametrize(
    ("name", "unseen"),
    [("agent", 1), ("criogen", 0), ("oma", 2), ("sink", 3), ("family", 6)],
)
def test_the_vectors_notice_every_verdict_that_is_wrong(
    name: str, unseen: int, texts: Any, tmp_path: pathlib.Path
) -> None:
    """Any one verdict turned round in index.js makes a vector fail.

    But for `unseen` of them: a class without any code has no vector, nor have the codes
    of an open class that nobody knows; what a rule on a required field leaves over is
    never reached, and no wire holds a native cause.
    """
    files, vectors = texts(name)
    wrong = dict(faults(files["index.js"]))
    assert len(wrong) > 20
    variants = [{**files, "index.js": text} for text in wrong.values()]
    found = failures(tmp_path, variants, vectors)
    quiet = [place for place, told in zip(wrong, found, strict=True) if not told]
    assert len(quiet) == unseen, quiet


@pytest.mark.parametrize(
    ("right", "wrong", "fault"),
    [
        ("[500, 599])", "[501, 599])", "http.connect: rule 1: status 500"),
        ("[410, 410]", "[411, 411]", "status 410"),
        ("[1, 1], [2, 2]", "[1, 1]", "attempt 2"),
        ('["a", "b"].includes(error.path)', 'error.path === "a"', "path b"),
        ('word: "denied"', 'word: "other"', "POLICY_DENIED: the least"),
        ('wire: "Retry-After"', 'wire: "wait"', "budget: all fields: "),
        ("    pinned: true,\n    const", "    const", "budget"),
    ],
)
def test_the_vectors_notice_faults_of_other_kinds(
    right: str, wrong: str, fault: str, texts: Any, tmp_path: pathlib.Path
) -> None:
    """A boundary, a word, a code or a wire name that is wrong makes its vector fail."""
    files, vectors = texts("sink")
    start = files["index.js"].index("const BY_TEXT")
    head, body = files["index.js"][:start], files["index.js"][start:]
    assert right in body
    broken = {**files, "index.js": head + body.replace(right, wrong)}
    [found] = failures(tmp_path, [broken], vectors)
    assert fault in "\n".join(found)


ECHO = """
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
const { file, wires } = JSON.parse(readFileSync(0, "utf8"));
const pack = await import(pathToFileURL(file));
const read = wires.map((wire) => pack.fromWire(wire));
const codes = (errors) => errors.map(({ code }) => pack.lookup(code)?.code ?? code);
console.log(JSON.stringify({ codes: codes(read), wires: read.map(pack.toWire) }));
"""


@pytest.mark.parametrize("name", CATALOGUES)
def test_E4_an_error_goes_to_the_other_language_and_back(
    name: str,
    texts: Any,
    tmp_path: pathlib.Path,
    python_package: Callable[[str], ModuleType],
) -> None:
    """Made in Python, through JSON to TypeScript and back, it is equal: for each vector,
    an unknown code, fields that do not fit, and a verdict of its own."""
    files, text = texts(name)
    package = python_package(catalogue(name))
    document = json.loads(text)
    under = document["fields_under"]
    made = [package.from_wire({"code": "no such code", "message": "m", "x": [1]})]
    for vector in document["vectors"]:
        wrong = {key: {"never": None} for key in vector["fields"]}
        for fields in (vector["fields"], wrong):
            for told in (None, True, False):
                code = vector["languages"]["python"]["wire"]
                data = {"code": code, "message": "m", "retryable": told}
                data |= ({under: fields} if fields else {}) if under else fields
                made.append(package.from_wire(data))
    folder = tmp_path / "pack"
    folder.mkdir()
    for path, content in files.items():
        (folder / path).write_text(content, encoding="utf-8")
    sent = [package.to_wire(error) for error in made]
    (tmp_path / "echo.mjs").write_text(ECHO, encoding="utf-8")
    asked = {"file": str(folder / "index.js"), "wires": sent}
    got = json.loads(run_node(tmp_path / "echo.mjs", input=asked))
    for error, one, wire, key in zip(
        made, sent, got["wires"], got["codes"], strict=True
    ):
        # Each language writes its own spelling, and reads every one.
        assert {**wire, "code": None} == {**json.loads(json.dumps(one)), "code": None}
        info = package.lookup(wire["code"])
        assert key == (info.code if info else "no such code")
        again = package.from_wire(wire)
        assert (type(again), repr(again)) == (type(error), repr(error))
        assert package.get_retryable(again) is package.get_retryable(error)


ISSUE = {"code": "MISMATCH", "path": ["a"], "inner": [{"code": "NO_AGENT"}]}
VALUES: list[Any] = [
    None,
    True,
    False,
    0,
    7,
    -1,
    404,
    503,
    600,
    7.5,
    "",
    "a",
    "b",
]
VALUES += ["text", "denied", "round", "network", "auth", "SEA", "08P01", "-1"]
VALUES += [
    "2027-01-31T12:00:00Z",
    "2027-01-31T12:00:00Z\n",
    "Wed, 21 Oct 2026 07:28:00 GMT",
]
VALUES += [[], ["a"], ["b"], ["a", "z"], [None], {}, {"k": 1}, {"toString": {}}]
VALUES += [
    ISSUE,
    [ISSUE],
    {**ISSUE, "more": 1},
    {"inputTokens": 1, "byModel": {"a": 1}},
]
VALUES += [
    {"to": "a", "message": "b"},
    {"to": "a", "message": "b", "context": [None, {}]},
]
READ = """
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
const { file, wires } = JSON.parse(readFileSync(0, "utf8"));
const pack = await import(pathToFileURL(file));
console.log(JSON.stringify(wires.map((wire) => {
  const error = pack.fromWire(wire);
  const { code, ...rest } = pack.toWire(error);
  return [error.name, pack.lookup(code)?.code ?? code, error.extra, rest];
})));
"""


@pytest.mark.parametrize("name", CATALOGUES)
def test_E4_both_languages_read_anything_alike(
    name: str,
    texts: Any,
    tmp_path: pathlib.Path,
    python_package: Callable[[str], ModuleType],
) -> None:
    """Of 3000 errors with fields of every kind, right and wrong, both make the same:
    class, code, verdict, what is extra, and the wire again."""
    files, text = texts(name)
    package = python_package(catalogue(name))
    document = json.loads(text)
    under = document["fields_under"]
    pick = random.Random(f"seed of {name}")
    wires = []
    for _ in range(3000):
        vector = pick.choice(document["vectors"])
        fields = dict(vector["fields"])
        for key in pick.sample(sorted(fields), pick.randint(0, min(2, len(fields)))):
            fields[key] = pick.choice(VALUES)
        if pick.random() < 0.3:
            fields[pick.choice(["new", "status", "path", "cause", "extra", "name"])] = (
                pick.choice(VALUES)
            )
        code = pick.choice([vector["code"], vector["code"], "nope", 1205, "toString"])
        data = {"code": code, "message": pick.choice(["m", ""])}
        data |= (
            {under: pick.choice([fields, fields, fields, [1], None])} if under else {}
        )
        data = {**({} if under else fields), **data}
        if pick.random() < 0.4:
            data["retryable"] = pick.choice(VALUES[:5])
        wires.append(data)
    for path, content in files.items():
        (tmp_path / path).write_text(content, encoding="utf-8")
    (tmp_path / "read.mjs").write_text(READ, encoding="utf-8")
    asked = {"file": str(tmp_path / "index.js"), "wires": wires}
    told = json.loads(run_node(tmp_path / "read.mjs", input=asked))
    classes = set()
    for data, found in zip(wires, told, strict=True):
        error = package.from_wire(data)
        rest = package.to_wire(error)
        info = package.lookup(rest.pop("code"))
        wanted = [
            # A code that one language never raises has a class in the other only.
            found[0] if info and info.absent else type(error).__name__,
            info.code if info else error.code,
            dict(error.extra),
            rest,
        ]
        assert repr(json.loads(json.dumps(wanted))) == repr(found), data
        classes.add(found[0])
    assert len(classes) >= 5


SHOW = """
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
const { ERRORS } = await import(pathToFileURL(JSON.parse(readFileSync(0, "utf8"))));
console.log(JSON.stringify([...ERRORS.values()]));
"""


@pytest.mark.parametrize("name", CATALOGUES)
def test_ERRORS_says_what_the_json_says(name: str, tmp_path: pathlib.Path) -> None:
    """Two packs tell the same of every code: all that the catalogue says of it."""
    files, data = files_of(catalogue(name), tmp_path, "typescript", "json")
    for path, content in files.items():
        (tmp_path / path).write_text(content, encoding="utf-8")
    (tmp_path / "show.mjs").write_text(SHOW, encoding="utf-8")
    told = json.loads(run_node(tmp_path / "show.mjs", input=str(tmp_path / "index.js")))
    codes = json.loads(data["catalogue.json"])["codes"]
    assert [info["code"] for info in told] == [code["code"] for code in codes]
    for info, code in zip(told, codes, strict=True):
        local, verdict = code["languages"]["typescript"], code["verdict"]
        same = ["spellings", "aliases", "groups", "meaning", "hint", "pinned"]
        same += ["control", "internal"]
        assert info["attributes"] == {
            cased(name, "camel"): value for name, value in code["attributes"].items()
        }
        assert {key: info[key] for key in same} == {key: code[key] for key in same}
        for key in ("http", "since"):
            assert info.get(key) == code[key]
        assert info["spelling"] == local["code"]
        assert info["wire"] == (code["wire"] or local["code"])
        assert info["classNames"] == local["classes"]
        assert info["raisedBy"] == local["raised_by"]
        assert info.get("docsUrl") == code["docs_url"]
        assert info.get("retryable") == verdict["default"]
        assert len(info["rules"]) == len(verdict["rules"])
        for found, rule in zip(info["rules"], verdict["rules"], strict=True):
            assert list(found["when"].values()) == list(rule["when"].values())
            assert (found.get("then"), found["hint"]) == (rule["then"], rule["hint"])
        for passing in ("deprecated", "retired"):
            entry = code[passing] or {}
            assert info.get(passing, {}) == {k: v for k, v in entry.items() if v}
