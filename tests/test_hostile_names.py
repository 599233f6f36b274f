"""Names that mean something elsewhere: as codes, fields, classes and the rest, they are
respelled where a language needs it, in every place, or they are refused."""

from __future__ import annotations

import json
import pathlib
import re
import sys
from typing import Any

import black
import pytest

from errspec.config import Config, Entry
from errspec.project import Project
from javascript import run_node
from support import compile_files, need, run, write
from test_typescript_tools import named

_CODES = """
    class None True NO from match await default constructor prototype undefined
    Self crate super A.b:c-d A- A.x E-1 E.2 E:3 T i int str Final Literal JUDGES CODES
    BY_TEXT TYPE_CHECKING Rule get_retryable errors wire
"""
CODES = [*_CODES.split(), "x" * 200]
_FIELDS = """
    items keys get values update pop clear copy self args name format default class
    import print error context info one cls data extra to_json str int any property
    overload mapping then of length constructor prototype async type lambda with_traceback
    add_note notes stack to_string value_of has_own_property super this new
"""
FIELDS = _FIELDS.split()
_KEYS = "items keys get values update self class constructor name title"
KEYS = _KEYS.split()


def catalogue() -> dict[str, Any]:
    """Return a catalogue in which everything has such a name."""
    text = {"type": "string"}
    fields = {name: text | {"optional": n % 2 == 0} for n, name in enumerate(FIELDS)}
    codes = {
        key: {
            "group": KEYS[number % len(KEYS)],
            "meaning": "A.",
            "fields": fields | {"held": {"type": "Held", "optional": True}},
            "attributes": dict.fromkeys(KEYS, "v"),
            "message": "".join(f"{{{name}}}" for name in FIELDS[1::2]),
            "retryable": {
                "rules": [
                    {"when": {FIELDS[number % len(FIELDS)]: "no"}, "then": False},
                    {"when": dict.fromkeys(["fact", "facts"], "no"), "then": False},
                ],
                "else": True,
            },
        }
        for number, key in enumerate(CODES)
    }
    return {
        "errspec": 1,
        "id": "names",
        "title": "Names",
        "version": "0.1.0",
        "languages": ["python", "typescript"],
        "base_class": "NamesError",
        "groups": {key: {"title": key} for key in KEYS},
        "attributes": dict.fromkeys(KEYS, text),
        "context": {"fact": text, "facts": text},
        "types": {"Held": {"fields": {n: text | {"optional": True} for n in FIELDS}}},
        "classes": {
            "ChildError": {"extends": "ParentError", "meaning": "Before its parent."},
            "ParentError": {
                "retryable": True,
                "abstract": True,
                "meaning": "After it.",
            },
        },
        "codes": codes | {"CHILD": {"class": "ChildError", "meaning": "A child."}},
    }


def written(data: dict[str, Any], folder: pathlib.Path) -> list[pathlib.Path]:
    """Compile a catalogue to Python and TypeScript, and return the packages' folders."""
    spec = folder / "catalogue.yaml"
    spec.write_text(json.dumps(data), encoding="utf-8")
    return [write(p, folder) for p in compile_files(spec, "python", "typescript")]


PYTHON = """
import json, pickle, sys
import names_errors as names
asked = json.load(sys.stdin)
for key, info in names.CODES.items():
    if key == "CHILD":
        continue
    values = {name: f"<{name}>" for name in asked}
    error = names.from_wire({"code": key, "message": "m", **values, "held": values})
    assert type(error) is not names.NamesError, key
    assert names.to_wire(error) == {
        "code": key, "message": "m", "retryable": True, **values, "held": values
    }
    again = pickle.loads(pickle.dumps(error))
    assert repr(again) == repr(error) and names.matches(again, key)
    wrong = {"code": key, "message": "m", **values} | dict.fromkeys(asked, "no")
    assert names.from_wire(wrong).retryable is False, key
    assert names.get_retryable(error, fact="no", facts="no") is False, key
    assert info.attributes == dict.fromkeys(info.attributes, "v")
print(len(names.CODES))
"""
NODE = """
import { readFileSync } from "node:fs";
import * as names from "./typescript/names/index.js";
const asked = JSON.parse(readFileSync(0, "utf8"));
for (const [key, info] of names.ERRORS) {
  if (key === "CHILD") continue;
  const values = Object.fromEntries(asked.map((name) => [name, `<${name}>`]));
  const error = names.fromWire({ code: key, message: "m", ...values, held: values });
  if (error.constructor === names.NamesError) throw new Error(key);
  const same = { code: key, message: "m", retryable: true, ...values, held: values };
  const told = names.toWire(error);
  for (const name of Object.keys(same)) {
    if (JSON.stringify(told[name]) !== JSON.stringify(same[name])) throw new Error(name);
  }
  const none = Object.fromEntries(asked.map((name) => [name, "no"]));
  const wrong = names.fromWire({ code: key, message: "m", ...none });
  if (wrong.retryable !== false) throw new Error(key);
  if (names.getRetryable(error, { fact: "no", facts: "no" }) !== false) throw new Error(key);
  if (Object.values(info.attributes).some((value) => value !== "v")) throw new Error(key);
}
for (const name of ["toString", "__proto__", "constructor_", "hasOwnProperty"]) {
  if (names.lookup(name) !== undefined) throw new Error(name);
}
console.log(names.ERRORS.size);
"""


def test_any_name_is_respelled_where_a_language_needs_it(
    tmp_path: pathlib.Path, node_tools: pathlib.Path
) -> None:
    """Keywords, methods of dicts and objects, names that the modules use themselves: as
    codes, fields, facts, groups, attributes they are defined and referred to alike."""
    python, _ = written(catalogue(), tmp_path)
    (tmp_path / "use.py").write_text(PYTHON, encoding="utf-8")
    (tmp_path / "use.mjs").write_text(NODE, encoding="utf-8")
    asked = json.dumps(FIELDS)
    count = f"{len(CODES) + 1}\n"
    assert run_node(tmp_path / "use.mjs", input=FIELDS) == count
    command = f"{sys.executable} -W error {tmp_path / 'use.py'} <<< '{asked}'"
    found = run("bash", "-c", command, PYTHONPATH=str(python))
    assert (found.stdout, found.stderr) == (count, "")
    typed([python], tmp_path, node_tools)


def typed(
    packages: list[pathlib.Path], folder: pathlib.Path, node_tools: pathlib.Path
) -> None:
    """Hold packages, and those for TypeScript beside them, against strict checkers; the
    latter are imported too."""
    modules = [module for root in packages for module in root.glob("*_errors")]
    found = run(need("mypy"), "--strict", f"--cache-dir={folder / 'mypy'}", *modules)
    assert found.returncode == 0, found.stdout
    ids = [root.name for root in packages]
    lines = [f"export * as {id} from './typescript/{id}/index.js';" for id in ids]
    for name in ("use.mts", "all.mjs"):
        (folder / name).write_text("\n".join(lines), encoding="utf-8")
    assert run_node(folder / "all.mjs") == ""
    flags = ("--noEmit", "--strict", "--target", "es2022", "--module", "nodenext")
    tsc = node_tools / "typescript/bin/tsc"
    assert run_node(tsc, *flags, folder / "use.mts") == ""


@pytest.mark.parametrize(
    ("length", "own"),
    [(33, {}), (72, {}), (88, {}), (200, {}), (8, {"u": 80})],
    ids=str,
)
def test_names_of_any_length_are_laid_out_as_formatters_would(
    length: int,
    own: dict[str, int],
    tmp_path: pathlib.Path,
    node_tools: pathlib.Path,
) -> None:
    """Where a line just fits, just does not, and never could, the code compiles, and
    black and prettier have nothing to do."""
    root = tmp_path / "long"
    text = named(length, "python, typescript", **own)
    (tmp_path / "long.yaml").write_text(text, encoding="utf-8")
    for package in compile_files(tmp_path / "long.yaml", "python", "typescript"):
        write(package, root)
    for path in root.rglob("*.py"):
        text = path.read_text("utf-8")
        assert black.format_str(text, mode=black.Mode()) == text
    modules = [*root.glob("typescript/*/*.js")]
    types = [*root.glob("typescript/*/*.d.ts")]
    names = {"index.d.ts", "problem.d.ts", "retry.d.ts"}
    assert {path.name for path in types} == names
    prettier = node_tools / "prettier/bin/prettier.cjs"
    assert "All matched files" in run_node(prettier, "--check", *modules, *types)
    tsc = node_tools / "typescript/bin/tsc"
    assert run_node(tsc, "--noEmit", "--strict", "--target", "es2022", *types) == ""


NAME = re.compile(r"\b[A-Z][A-Za-z0-9]+\b")
_OTHERS = "Number Result Error Exception Undefined Promise Object Symbol Map Any"


def of_classes(kind: str, names: list[str]) -> dict[str, Any]:
    """Return a catalogue with classes, or records, of these names."""
    about: dict[str, Any] = {"meaning": "A.", "fields": {"word": {"type": ["a", "b"]}}}
    if kind == "classes":
        about |= {"retryable": True}
    codes = {f"C{n}": {"class": name, "meaning": "A."} for n, name in enumerate(names)}
    held = {f"field_{n}": {"type": name} for n, name in enumerate(names)}
    head = {
        key: catalogue()[key] for key in ("errspec", "title", "version", "languages")
    }
    return head | {
        "id": kind,
        "base_class": "NamesError",
        kind: dict.fromkeys(names, about),
        "codes": (
            codes
            if kind == "classes"
            else {"HOLD": {"retryable": True, "meaning": "A.", "fields": held}}
        ),
    }


def refused(data: dict[str, Any], folder: pathlib.Path) -> dict[str, str]:
    """Return the classes or records that the rules refuse, with what they say."""
    spec = folder / "catalogue.yaml"
    spec.write_text(json.dumps(data), encoding="utf-8")
    packs = ("python", "typescript")
    config = Config(pathlib.Path(), pathlib.Path(), (Entry(spec, spec.name, packs),))
    [one] = Project(config).load_all()
    found = [d for d in one.diagnostics if d.severity == "error"]
    assert {d.id for d in found} <= {"shadowed-builtin", "name-collision"}
    return {str(d.path[1]): d.message for d in found}


def test_a_class_hides_nothing_that_its_module_needs_or_is_refused(
    tmp_path: pathlib.Path, node_tools: pathlib.Path
) -> None:
    """Every name that the generated modules speak of, as a class and as a record, is an
    error in words, or compiles under strict checks."""
    written(catalogue(), tmp_path)
    texts = [p.read_text("utf-8") for p in tmp_path.rglob("*") if p.is_file()]
    spoken = {name for text in texts for name in NAME.findall(text)} | {
        *_OTHERS.split()
    }
    kinds = ["classes", "types"]
    for kind in kinds:
        names, wrong = sorted(n for n in spoken if "NamesError" not in n), {"some": ""}
        while wrong:
            wrong = refused(of_classes(kind, names), tmp_path)
            names = [name for name in names if name not in wrong]
        assert len(names) > 50 and not {"Error", "Map", "Exception", "Any"} & {*names}
        written(of_classes(kind, names), tmp_path)
    typed([tmp_path / "python" / kind for kind in kinds], tmp_path, node_tools)
