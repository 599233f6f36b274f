"""Hostile text in every text of a catalogue: each output keeps the shape that plain text
gives it, and says that text."""

from __future__ import annotations

import ast
import functools
import json
import pathlib
import re
import tomllib
import warnings
from collections.abc import Iterator, Mapping
from typing import Any

import black
import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from errspec.escapes import NEVER_RAW, fold
from hostile import HOSTILE, catalogue, doubled, rendered, spoken
from javascript import run_node
from packages import imported
from support import ROOT, need, run
from test_python_text import bare as on_page
from vector_runner import failures


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, str]:
    """The output of a catalogue whose texts are their own names."""
    return rendered(lambda name: f"«{name}»", tmp_path_factory.mktemp("plain"))


SLOT = re.compile("«(.+?)»")
REFERENCES = {"class", "code", "extends", "follows", "group", "use"}
"""Keys of the schema that take a name of the catalogue's own, and no other text."""


def test_the_catalogue_of_these_tests_has_a_text_wherever_the_schema_takes_one() -> (
    None
):
    """A key that the schema gets, and that takes any text, is tested from then on."""
    schema = json.loads((ROOT / "spec/catalogue.schema.json").read_text("utf-8"))
    names: set[str] = set()

    def walk(part: Any, name: str = "") -> None:
        if isinstance(part, dict):
            if part.get("pattern") in (r"\S", r"^https?://[^\s]+$"):
                names.add(name)
            for key, inner in part.items():
                if key == "properties":
                    for property, its in inner.items():
                        walk(its, property)
                else:
                    walk(inner, key if name in ("", "$defs") else name)

    walk(schema)
    used: set[str] = set()
    catalogue(lambda name: used.add(name.split(".")[0]) or "x")  # type: ignore[func-returns-value]
    assert names - REFERENCES <= used


# ----------------------------------------------------------------------------- Python


@functools.lru_cache(maxsize=8)  # the plain files, over and over
def syntax(source: str) -> tuple[str, list[tuple[str, bool]]]:
    """Return a module's tree without its texts, and these: a docstring's have True."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tree = ast.parse(source)
    docs = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and isinstance(node.body[0], ast.Expr)
    }
    texts = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            texts.append((node.value, id(node) in docs))
            node.value = ""
    return ast.dump(tree), texts


def says(plain: str, found: str, given: Mapping[str, str], doc: bool) -> bool:
    """Tell whether a text is what the plain one is, with these texts in the slots.

    In a comment white space is folded.
    """
    written = SLOT.sub(lambda slot: given[slot[1]], plain)
    return fold(found) == fold(written) if doc else found == written


@pytest.mark.parametrize("case", HOSTILE)
def test_python_keeps_its_shape_and_says_the_text(
    case: str, plain: Mapping[str, str], tmp_path: pathlib.Path
) -> None:
    """No text ends a literal, a docstring or a comment: the syntax tree is that of plain
    texts, without a warning, and each constant in it is the text of the catalogue."""
    given, say = spoken(HOSTILE[case])
    found = rendered(say, tmp_path, ["python"])
    for name in (n for n in plain if n.endswith(".py") and "runtime" not in n):
        (tree, texts), (other, others) = syntax(plain[name]), syntax(found[name])
        assert tree == other
        for (before, doc), (after, _) in zip(texts, others, strict=True):
            assert says(before, after, given, doc), name
    project = tomllib.loads(found["python/hostile/pyproject.toml"])["project"]
    assert project["description"] == given["title.1"]


@pytest.mark.parametrize(
    "case", ["two thousand characters", "two thousand of words", "two thousand marks"]
)
def test_a_long_text_leaves_formatters_nothing_to_do(
    case: str, tmp_path: pathlib.Path, node_tools: pathlib.Path
) -> None:
    """What cannot be broken stands as it is, and black and prettier keep it."""
    found = rendered(spoken(HOSTILE[case])[1], tmp_path, ["python", "typescript"])
    for name in (n for n in found if n.endswith(".py")):
        assert black.format_str(found[name], mode=black.Mode()) == found[name], name
    prettier = node_tools / "prettier/bin/prettier.cjs"
    names = [n for n in found if n.endswith((".js", ".d.ts"))]
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(found[name], encoding="utf-8")
    told = run_node(prettier, "--check", *(tmp_path / name for name in names))
    assert "All matched files" in told


# ------------------------------------------------------------------------- TypeScript

SHAPE = """
import { readFileSync } from "node:fs";
import ts from "typescript-5.0";
function shape(name, text) {
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.ES2022, true);
  const texts = [];
  const read = (node) => {
    const kind = ts.SyntaxKind[node.kind];
    const docs = ts.getJSDocCommentsAndTags(node).map((doc) => {
      texts.push([ts.getTextOfJSDocComment(doc.comment) ?? "", true]);
      return [ts.SyntaxKind[doc.kind], (doc.tags ?? []).length];
    });
    if (ts.isStringLiteralLike(node)) texts.push([node.text, false]);
    const inner = [];
    ts.forEachChild(node, (child) => void inner.push(read(child)));
    return [kind, ts.isIdentifier(node) ? node.text : "", docs, inner];
  };
  const tree = JSON.stringify(read(file));
  return { faults: file.parseDiagnostics.length, tree, texts };
}
const files = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(files.map(([name, text]) => shape(name, text))));
"""


def test_typescript_keeps_its_shape_and_says_the_text(
    plain: Mapping[str, str], tmp_path: pathlib.Path, node_tools: pathlib.Path
) -> None:
    """No text ends a literal or a comment, or becomes a tag: the syntax tree is that of
    plain texts, and each literal and comment in it is the text of the catalogue."""
    names = [n for n in plain if n.endswith((".js", ".d.ts")) and "runtime" not in n]
    cases = {case: spoken(hostile) for case, hostile in HOSTILE.items()}
    found = [
        plain,
        *(rendered(say, tmp_path, ["typescript"]) for _, say in cases.values()),
    ]
    (tmp_path / "node_modules").symlink_to(node_tools)
    (tmp_path / "shape.mjs").write_text(SHAPE, encoding="utf-8")
    asked = [[name, files[name]] for files in found for name in names]
    told = json.loads(run_node(tmp_path / "shape.mjs", input=asked))
    plains, shapes = told[: len(names)], told[len(names) :]
    for number, (case, (given, _)) in enumerate(cases.items()):
        # Comments show escapes, and what cannot be seen by its number.
        shown = {name: bare(text) for name, text in given.items()}
        at = number * len(names)
        for before, after in zip(plains, shapes[at : at + len(names)], strict=True):
            assert (after["faults"], after["tree"]) == (0, before["tree"]), case
            for (one, doc), (other, _) in zip(
                before["texts"], after["texts"], strict=True
            ):
                if doc:
                    assert says(bare(one), bare(other), shown, doc), case
                else:
                    assert says(one, other, given, doc), case


def bare(text: str) -> str:
    """Return a text without blanks and backslashes, unseen characters as numbers."""
    hidden = NEVER_RAW.sub(_number, fold(text))
    return "".join(hidden.replace("\\", "").split())


def _number(match: re.Match[str]) -> str:
    number = ord(match[0])
    return f"u{number:04x}" if number < 0x10000 else f"u{{{number:x}}}"


# ------------------------------------------------------------------- Markdown and JSON

PARSER = MarkdownIt("gfm-like")
PAGE = "markdown/hostile/errors.md"
PAGES = {"by class": (), "by group": ("PICK_A", "PICK_B", "PickError")}
"""The two shapes of a page, and what the catalogue must lack for it."""
TEXT = {"text", "text_special", "code_inline"}
TAGS = re.compile(r'<br/>|</?code>|<a (?:id="|href="#)[\w.:-]+">|</a>')


@pytest.fixture(scope="module")
def plain_pages(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, str]:
    """A page of each shape, whose texts are their own names."""
    folder = tmp_path_factory.mktemp("plain_pages")
    return {
        shape: rendered(lambda name: f"«{name}»", folder, ["markdown"], without)[PAGE]
        for shape, without in PAGES.items()
    }


def test_the_pages_differ_in_shape(plain_pages: Mapping[str, str]) -> None:
    """One goes class by class, and one has a table for each group."""
    assert ["Quick reference" in page for page in plain_pages.values()] == [True, False]


@pytest.mark.parametrize("shape", PAGES)
@pytest.mark.parametrize("case", HOSTILE)
def test_a_page_keeps_its_shape_and_shows_the_text(
    case: str, shape: str, plain_pages: Mapping[str, str], tmp_path: pathlib.Path
) -> None:
    """No text begins a block, parts a row, or becomes a tag, a link or emphasis, and a
    reader sees each of them."""
    given, say = spoken(HOSTILE[case])
    before, after = PARSER.parse(plain_pages[shape]), PARSER.parse(
        rendered(say, tmp_path, ["markdown"], PAGES[shape])[PAGE]
    )
    for one, other in zip(before, after, strict=True):
        assert (one.type, one.tag, one.nesting) == (
            other.type,
            other.tag,
            other.nesting,
        )
        (kinds, text), (others, seen) = read(one), read(other)
        assert kinds == others
        assert seen == on_page(SLOT.sub(lambda slot: given[slot[1]], text))


def read(block: Token) -> tuple[list[str], str]:
    """Return what stands in a block beside text and the tags that are ours, and what a
    reader sees of it."""
    kinds, seen = [], ""
    for part in block.children or ():
        if part.type == "html_inline":
            assert TAGS.fullmatch(part.content)
        elif part.type in TEXT:
            seen += part.content
        elif part.markup != "linkify":  # some parsers make a link of a@b
            kinds.append(part.type)
    return kinds, on_page(seen)


MDX = """
import { readFileSync } from "node:fs";
import { compile } from "@mdx-js/mdx";
import remarkGfm from "remark-gfm";
const code = new Set();
const walk = (node) => {
  if (node.type.startsWith("mdx")) code.add(`${node.type} ${node.name}`);
  node.children?.forEach(walk);
};
for (const page of JSON.parse(readFileSync("pages.json", "utf8"))) {
  await compile(page, { remarkPlugins: [remarkGfm, () => walk] });
}
console.log(JSON.stringify([...code].sort()));
"""


def test_a_page_compiles_as_mdx(
    tmp_path: pathlib.Path, node_tools: pathlib.Path
) -> None:
    """Braces, tags and imports of a text are text there too: no expression, no module,
    and of components only the tags that are ours."""
    pages = [
        rendered(spoken(hostile)[1], tmp_path, ["markdown"], without)[PAGE]
        for without in PAGES.values()
        for hostile in HOSTILE.values()
        if len(hostile) < 2000  # these are many, and hold nothing new to MDX
    ]
    (tmp_path / "node_modules").symlink_to(node_tools)
    (tmp_path / "pages.json").write_text(json.dumps(pages), encoding="utf-8")
    (tmp_path / "mdx.mjs").write_text(MDX, encoding="utf-8")
    found = run(need("node"), "mdx.mjs", cwd=tmp_path)
    assert found.returncode == 0, found.stderr
    assert json.loads(found.stdout) == [
        f"mdxJsxTextElement {tag}" for tag in ("a", "br", "code")
    ]


def leaves(data: Any) -> Iterator[Any]:
    """Yield every key and value of data in its order."""
    if isinstance(data, dict):
        for key, value in data.items():
            yield key
            yield from leaves(value)
    elif isinstance(data, list):
        for value in data:
            yield from leaves(value)
    else:
        yield data


@pytest.mark.parametrize("case", HOSTILE)
def test_json_says_the_text_and_no_file_holds_what_nobody_sees(
    case: str, plain: Mapping[str, str], tmp_path: pathlib.Path
) -> None:
    """The resolved catalogue, the vectors and package.json hold each text as it is; what
    cannot be seen, or turns its neighbours around, stands in no file as itself."""
    given, say = spoken(HOSTILE[case])
    found = rendered(say, tmp_path)
    templates = {
        name: doubled(text) for name, text in given.items() if "message" in name
    }
    given |= templates
    for name in (n for n in plain if n.endswith(".json")):
        pairs = zip(
            leaves(json.loads(plain[name])),
            leaves(json.loads(found[name])),
            strict=True,
        )
        for before, after in pairs:
            if isinstance(before, str):
                before = SLOT.sub(lambda slot: given[slot[1]], before)
            assert before == after, name
    for name, text in found.items():
        assert not NEVER_RAW.search(text.replace("\n", "")), name


def test_verdicts_and_wire_forms_hold_whatever_the_texts_are(
    tmp_path: pathlib.Path,
) -> None:
    """Each test vector comes out in both languages: rules over hostile words, fields under
    hostile names of the wire, codes under hostile spellings."""
    jobs = []
    for number, hostile in enumerate(HOSTILE.values()):
        folder = tmp_path / str(number)
        for name, text in rendered(spoken(hostile)[1], tmp_path).items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8", newline="\n")
        vectors = folder / "json/hostile/vectors.json"
        with imported(folder / "python/hostile") as package:
            assert failures(package, json.loads(vectors.read_text("utf-8"))) == []
        root = str(folder / "typescript/hostile")
        jobs.append({"package": root, "vectors": str(vectors)})
    told = json.loads(run_node(ROOT / "tests" / "vector_runner.mjs", input=jobs))
    assert told == [[]] * len(HOSTILE)
