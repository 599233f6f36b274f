"""Any text and any name in a catalogue arrives in the generated TypeScript as it is:
declarations compile, and the module says what the catalogue says."""

from __future__ import annotations

import itertools
import json
import pathlib
import tempfile

import pytest
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st

from javascript import generate, run_node
from support import errspec
from test_python_text import CATALOGUE, quoted, some

READ = """
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
const told = [];
for (const { file, texts } of JSON.parse(readFileSync(0, "utf8"))) {
  const pack = await import(pathToFileURL(file));
  const { FullError, FixedError, ManyError, ERRORS, lookup, matches } = pack;
  const [word, alias, other, path] = texts;
  const error = new FullError(undefined, { word: other });
  const wire = pack.toWire(error);
  told.push({
    full: ERRORS.get("FULL"),
    away: ERRORS.get("AWAY").absent,
    gone: ERRORS.get("GONE").retired,
    error: [error.word, error.message, error.code, error.retryable],
    wire,
    again: [pack.fromWire(wire).name, pack.fromWire(wire).word],
    judged: new FullError(undefined, { word, path }).retryable,
    matches: [matches(error, alias), matches(error, "FULL"), lookup(alias) === lookup("FULLY")],
    fixed: new FixedError("m").path,
    many: new ManyError("TWO").message,
  });
}
console.log(JSON.stringify(told));
"""
batches = st.lists(some, min_size=8, max_size=8)


@settings(
    max_examples=3,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate],  # shrinking a catalogue takes minutes
)
@given(batches)
@example([[f"text {n} with */ /* `${{x}}` \u2028 ' \" \\ <b>" for n in range(24)]])
def test_a_text_arrives_as_it_is(
    node_tools: pathlib.Path, batch: list[list[str]]
) -> None:
    """Meanings, hints, reasons, words, names on the wire, messages: all come back equal
    from the module, and the compiler takes the words for what they are."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        jobs, lines = [], []
        for number, texts in enumerate(batch):
            message = texts[16].replace("{", "{{").replace("}", "}}")
            text = CATALOGUE.format(
                *map(quoted, texts), number=number, message=quoted(message)
            )
            package = generate(text, folder, f"text{number}")
            asked = [texts[4], texts[12], texts[16], texts[18]]
            jobs.append({"file": str(package / "index.js"), "texts": asked})
            lines += [
                f"import {{ FullError as E{number} }} from './text{number}/index.js';",
                f"import type {{ Item as I{number} }} from './text{number}/index.js';",
                f"new E{number}(undefined, {{ word: {json.dumps(texts[16])} }});",
                f"export const i{number}: I{number} = {{ word: {json.dumps(texts[4])} }};",
                "// @ts-expect-error: no such word",
                f"new E{number}(undefined, {{ word: {json.dumps(texts[4] + '?')} }});",
            ]
        (folder / "read.mjs").write_text(READ, encoding="utf-8")
        (folder / "use.mts").write_text("\n".join(lines), encoding="utf-8")
        flags = ("--noEmit", "--strict", "--target", "es2022", "--module", "nodenext")
        tsc = node_tools / "typescript/bin/tsc"
        assert run_node(tsc, *flags, folder / "use.mts") == ""
        told = json.loads(run_node(folder / "read.mjs", input=jobs))
    for texts, found in zip(batch, told, strict=True):
        check(texts, found)


def check(texts: list[str], found: dict[str, object]) -> None:
    prose = [text.strip() for text in texts]
    full = found.pop("full")
    assert isinstance(full, dict)
    assert {key: full[key] for key in ("meaning", "hint", "wire", "aliases")} == {
        "meaning": prose[9],
        "hint": prose[10],
        "wire": texts[11],
        "aliases": [texts[12]],
    }
    assert full["raisedBy"] == [texts[13], texts[14]]
    assert full["attributes"] == {"note": texts[15]}
    assert full["rules"] == [
        {
            "when": {"word": [texts[4]], "path": [texts[18]]},
            "then": True,
            "hint": prose[19],
        }
    ]
    assert full["deprecated"] == {"since": texts[20], "reason": prose[21]}
    assert found == {
        "away": {"python": prose[22]},
        "gone": {"since": texts[20], "reason": prose[23]},
        "error": [texts[16], texts[16], "FULLY", False],
        "wire": {
            "code": texts[11],
            "message": texts[16],
            "retryable": False,
            texts[5]: texts[16],
        },
        "again": ["FullError", texts[16]],
        "judged": True,
        "matches": [True, True, True],
        "fixed": texts[18],
        "many": texts[16],
    }


CODES = [
    "class",
    "None",
    "from",
    "match",
    "default",
    "await",
    "async",
    "constructor",
    "toString",
    "valueOf",
    "hasOwnProperty",
    "prototype",
    "undefined",
    "null",
    "true",
    "NaN",
    "Infinity",
    "eval",
    "arguments",
    "let",
    "static",
    "enum",
    "E.1",
    "E-2",
    "E:3",
    "e_4",
    "E5",
    "a1",
    "A_B_",
    "new",
    "this",
    "super",
    "import",
    "export",
    "of",
    "get",
    "set",
    "keys",
    "size",
    "length",
    "name",
    "then",
]
FIELDS = """
    name stack constructor to_string value_of has_own_property is_prototype_of to_json
    class default await async function new this super static get set keys items entries
    length prototype args self extra arguments eval undefined type interface then_ of
""".replace("then_", "then").split()
HEAD = """
errspec: 1
id: names
title: Names
version: 0.1.0
languages: [typescript]
base_class: NamesError
class_per_code: true
groups: {class: {title: G}, constructor: {title: H}}
types: {Thing: {fields: {constructor: {type: string, wire: __proto__}, to_string: {type: integer}}}}
codes:
"""


def test_any_name_is_respelled_where_the_language_needs_it(
    tmp_path: pathlib.Path, node_tools: pathlib.Path
) -> None:
    """Keywords, and what every object has, as codes, groups, fields and wire names: they
    compile, and every field arrives on the wire under its own name."""
    fields = ", ".join(f"{name}: {{type: string}}" for name in FIELDS)
    rows = [
        f"  {quoted(code)}: {{group: class, class: C{number}Error, meaning: A code., "
        f"retryable: true, fields: {{{fields}, thing: {{type: Thing}}}}}}"
        for number, code in enumerate(CODES)
    ]
    generate(HEAD + "\n".join(rows), tmp_path, "names")
    script = """
    import { readFileSync } from "node:fs";
    import * as pack from "./names/index.js";
    const { codes, fields } = JSON.parse(readFileSync(0, "utf8"));
    const thing = JSON.parse('{"__proto__": "p", "to_string": 1}');
    for (const code of codes) {
      const details = Object.fromEntries(fields.map((name) => [name, `<${name}>`]));
      const wire = { code, message: "m", ...details, thing };
      const error = pack.fromWire(wire);
      if (error.constructor === pack.NamesError) throw new Error(code);
      if (error.name !== pack.lookup(code).classNames[0]) throw new Error(error.name);
      if (!error.stack.startsWith(`${error.name}: m`)) throw new Error(error.stack);
      const [written, read] = [pack.toWire(error), { code, message: "m", retryable: true }];
      const same = JSON.stringify(written) === JSON.stringify({ ...read, ...details, thing });
      if (!same) throw new Error(JSON.stringify(written));
      if (error.thing.constructor_ !== "p" || error.class_ !== "<class>") throw new Error("field");
      if (!pack.matches(error, code) || !pack.isNamesError(error)) throw new Error("matches");
    }
    console.log(codes.length);
    """
    (tmp_path / "run.mjs").write_text(script, encoding="utf-8")
    asked = {"codes": CODES, "fields": FIELDS}
    assert run_node(tmp_path / "run.mjs", input=asked) == f"{len(CODES)}\n"
    flags = ("--noEmit", "--strict", "--target", "es2022", "--module", "nodenext")
    tsc = node_tools / "typescript/bin/tsc"
    assert run_node(tsc, *flags, tmp_path / "names/index.d.ts") == ""
    told = run_node(
        node_tools / "prettier/bin/prettier.cjs",
        "--check",
        *(tmp_path / "names" / name for name in ("index.js", "index.d.ts")),
    )
    assert "All matched files" in told


@pytest.mark.parametrize(
    ("codes", "types", "fault"),
    [
        ("TYPE", "", "TypeError would hide TypeScript's own TypeError"),
        ("AGGREGATE", "", "AggregateError would hide TypeScript's own"),
        ("A", "Record", "Record would hide TypeScript's own Record"),
        ("A", "ErrorCode", "ErrorCode and the package itself would both be ErrorCode"),
        ("A", "AErrorOptions", "A and AErrorOptions would both be AErrorOptions"),
        ("A", "NamesErrorOptions", "base_class and NamesErrorOptions would both be"),
        ("A", "OneCode", "one and OneCode would both be OneCode"),
        ("A_B A.B", "", "A.B and A_B would both be ABError"),
    ],
)
def test_a_name_that_would_hide_another_is_an_error(
    codes: str, types: str, fault: str, tmp_path: pathlib.Path
) -> None:
    """What the language has built in, what the package defines, and what it derives."""
    text = HEAD.partition("groups:")[0] + "groups: {one: {title: G}}\n"
    if types:
        text += f"types: {{{types}: {{fields: {{x: {{type: string}}}}}}}}\n"
    text += "codes:\n" + "\n".join(
        f"  {code}: {{group: one, meaning: A code., retryable: true}}"
        for code in codes.split()
    )
    (tmp_path / "names.yaml").write_text(text, encoding="utf-8")
    found = errspec("validate", "names.yaml", cwd=tmp_path)
    assert found.returncode == 1
    assert fault in found.stderr


def test_the_options_name_the_package(tmp_path: pathlib.Path) -> None:
    """Scope, name and version go to npm as they are given."""
    text = HEAD + "  A: {group: class, meaning: A code., retryable: true}\n"
    (tmp_path / "names.yaml").write_text(text, encoding="utf-8")
    given = itertools.product(["", "@acme"], ["", "1.5.0", "1.5.0-rc.1"])
    for scope, version in given:
        chosen = {"scope": scope, "package": "its-errors", "version": version}
        options = {name: value for name, value in chosen.items() if value}
        config = {
            "errspec": 1,
            "catalogues": [
                {
                    "spec": "names.yaml",
                    "targets": ["typescript"],
                    "options": {"typescript": options},
                }
            ],
        }
        (tmp_path / "errspec.yaml").write_text(json.dumps(config), encoding="utf-8")
        found = errspec("generate", "--force", cwd=tmp_path)
        assert found.returncode == 0, found.stderr
        path = tmp_path / "generated/typescript/names/package.json"
        about = json.loads(path.read_text(encoding="utf-8"))
        assert about["name"] == ("@acme/its-errors" if scope else "its-errors")
        assert about["version"] == (version or "0.1.0")


@pytest.mark.parametrize(
    ("option", "text"),
    [
        *(("package", name) for name in ("fs", "node_modules", "favicon.ico", "_a")),
        *(("version", text) for text in ("01.0.0", "1.0", "1.0.0-", "1.0.0-a..b")),
    ],
)
def test_an_option_that_npm_refuses_is_an_error(
    option: str, text: str, tmp_path: pathlib.Path
) -> None:
    """Names of node's own modules and of its folder, and versions that are none."""
    names = HEAD + "  A: {group: class, meaning: A code., retryable: true}\n"
    (tmp_path / "names.yaml").write_text(names, encoding="utf-8")
    options = {"typescript": {option: text}}
    entry = {"spec": "names.yaml", "targets": ["typescript"], "options": options}
    config = {"errspec": 1, "catalogues": [entry]}
    (tmp_path / "errspec.yaml").write_text(json.dumps(config), encoding="utf-8")
    found = errspec("generate", "--force", cwd=tmp_path)
    assert found.returncode == 1, found.stderr
    assert option in found.stderr
