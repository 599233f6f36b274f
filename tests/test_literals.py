"""Promises of `literals`: catalogue text arrives in every sink as that text, and as
nothing else. Python and Markdown use the data that ships; other languages are inline
data, to show that the engine knows none of them."""

from __future__ import annotations

import ast
import builtins
import html
import io
import json
import keyword
import re
import subprocess
import sys
import tokenize
import unicodedata
import warnings
from typing import TYPE_CHECKING, Any

import black
import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from errspec.diagnostics import PackError
from errspec.escapes import NEVER_RAW, display_width, fit, fold
from errspec.literals import Comments, Strings
from errspec.markup import read_markup
from errspec.resources import folder
from support import need

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from markdown_it.token import Token

PYTHON: dict[str, Any] = yaml.safe_load(
    (folder("templates") / "languages/python.yaml").read_text("utf-8")
)
MARKDOWN: dict[str, Any] = yaml.safe_load(
    (folder("templates") / "markup/markdown.yaml").read_text("utf-8")
)
C_LIKE = {r"\\": r"\\", r"\n": r"\n", r"\r": r"\r", r"\t": r"\t"}
TYPESCRIPT: dict[str, Any] = {
    "strings": {
        "quotes": ['"', "'"],
        "quote_escape": r"\{}",
        "escapes": C_LIKE,
        "bmp": r"\u{:04x}",
        "astral": r"\u{{{:x}}}",
    },
    "comments": {
        "line": {"line": "// ", "escapes": {"@": r"\@"}},
        "doc": {
            "open": "/**",
            "line": " * ",
            "close": " */",
            "escapes": {r"\*(?=/)": "*\\", r"/(?=\*)": "/\\", "@": r"\@"},
        },
    },
}
RUST: dict[str, Any] = {
    "strings": {
        "quotes": ['"'],
        "quote_escape": r"\{}",
        "escapes": C_LIKE,
        "bmp": r"\u{{{:x}}}",
        "astral": r"\u{{{:x}}}",
    },
    "comments": {
        "line": {"line": "// "},
        "doc": {
            "line": "/// ",
            "escapes": {
                "(?<!`)`(?! ?`)[^`]+`(?!`)": "{0}",
                r"[\\*_`~\[\]<&]|(?<=[ps]):(?=//)": r"\{0}",
            },
            "starts": {
                "^[#>+=-]": r"\{0}",
                r"^([0-9]+)([.)])": r"{1}\{2}",
            },
        },
    },
}
HTML: dict[str, Any] = {
    "markup": "html",
    "bmp": "&#x{:x};",
    "astral": "&#x{:x};",
    "control": "U+{:04X}",
    "escapes": {"html": {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}},
    "places": {
        "text": {
            "escapes": ["html"],
            "code": {"escaped": "<code>{}</code>"},
            "line_break": "<br>",
        },
        "attribute": {"escapes": ["html"]},
    },
}


def strings(language: dict[str, Any]) -> Strings:
    return Strings.from_data(language["strings"])


def comments(language: dict[str, Any]) -> Comments:
    return Comments.from_data(language["comments"], language["strings"])


LANGUAGES = {"python": PYTHON, "typescript": TYPESCRIPT, "rust": RUST}
MARKUP = read_markup(MARKDOWN)

# What breaks out of something, somewhere, in bits.
BITS = """
    | \\ \\\\ \\| ` `` ``` ~~~ * _ ~ [ ] ( ) { } < > ! # - + = . : ; & $ ^ @ / ' " \"\"\" '''
    [a](b) ![ [^1] <br> </code> <code> <!-- --> <https://a.b> https://x.y/ http:// www.a.b
    a@b.co mailto:a@b.c //x.y/%41 &amp; &#38; &lt --- === 1. 2) ## ::: *** ___ /* */ /** ///
    {@link @param {x} {{7*7}} {%raw%} {/* %s C:\\Users \\N{foo} \\x4 \\u12 snake_case __init__
    import export type: coding:utf-7 fmt: <5 a|b `a|b` `x` `\\` é 中 😀 e\u0301 \u05d0 1 a X
""".split()  # noqa: SIM905 (as a list it is a page long)
BITS += [
    " ",
    "  ",
    "    ",
    "\n",
    "\n\n",
    "\r",
    "\r\n",
    "\t",
    "\f",
    "\v",
    "< ",
    "- ",
    "# ",
]
BITS += [
    "\0",
    "\x07",
    "\x1f",
    "\x7f",
    "\x85",
    "\xa0",
    "\xad",
    "\u2028",
    "\u202e",
    "\ufeff",
]
BITS += ["\u200d", "\u3000", "\ufffe", "\U000e0041", "\U0001fffe"]

hostile = st.lists(st.sampled_from(BITS) | st.characters(), max_size=8).map("".join)
batches = st.lists(hostile, min_size=1, max_size=20)
thorough = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)


def compiled(source: str) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        compile(source, "generated.py", "exec")
        return ast.parse(source)


def blackened(source: str) -> str:
    return black.format_str(source, mode=black.Mode(line_length=88))


# ---------------------------------------------------------------------------- strings


@pytest.mark.parametrize(
    ("text", "literal"),
    [
        ("", '""'),
        ("plain", '"plain"'),
        ('say "no"', "'say \"no\"'"),
        ("don't", '"don\'t"'),
        ("""one " one '""", '''"one \\" one '"'''),
        ("""two "" one '""", """'two "" one \\''"""),
        ('"""', '\'"""\''),
        ("ends in \\", '"ends in \\\\"'),
        (r"C:\Users\N{foo}\x4", r'"C:\\Users\\N{foo}\\x4"'),
        ("a\nb\r\tc", r'"a\nb\r\tc"'),
        ("\0\x7f\x85\xad", r'"\u0000\u007f\u0085\u00ad"'),
        ("\u2028\u202e\ufeff", r'"\u2028\u202e\ufeff"'),
        ("\U000e0041\U0001ffff", r'"\U000e0041\U0001ffff"'),
        ("\ud800", r'"\ud800"'),
        ("é 中 😀 \xa0 \u05d0", '"é 中 😀 \xa0 \u05d0"'),
        ("{{ 7*7 }} {% raw %} %s {0}", '"{{ 7*7 }} {% raw %} %s {0}"'),
        ("<a> & 'b'", "\"<a> & 'b'\""),
    ],
)
def test_python_literal(text: str, literal: str) -> None:
    """A literal is as short and as plain as its text allows."""
    assert strings(PYTHON).literal(text) == literal


@thorough
@given(st.lists(hostile, min_size=1, max_size=30))
def test_python_literals_mean_their_text(texts: Sequence[str]) -> None:
    """Python reads each literal back as the text, and black has nothing to add."""
    literals = [strings(PYTHON).literal(text) for text in texts]
    for text, literal in zip(texts, literals, strict=True):
        assert ast.literal_eval(literal) == text
    source = "".join(f"x = {literal}\n" for literal in literals)
    compiled(source)
    assert blackened(source) == source


@pytest.mark.parametrize("name", LANGUAGES)
@given(text=hostile)
def test_nothing_unseen_stands_raw(name: str, text: str) -> None:
    """What nobody sees is visible in every literal and comment of every language."""
    language = LANGUAGES[name]
    assert not NEVER_RAW.search(strings(language).literal(text))
    for form in (comments(language).line, comments(language).doc):
        assert not NEVER_RAW.search(form(text, "", 88).replace("\n", ""))


def test_never_raw_is_a_fixed_table() -> None:
    """Of what Unicode calls control or format, all but a few script marks is hidden."""
    seen = {
        f"{ord(c):x}"
        for c in map(chr, range(0x110000))
        if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp")
        and not NEVER_RAW.match(c)
    }
    marks = {
        "600",
        "601",
        "602",
        "603",
        "604",
        "605",
        "6dd",
        "70f",
        "890",
        "891",
        "8e2",
    }
    assert marks <= seen
    assert all(int(c, 16) > 0x10000 for c in seen - marks)
    assert not any(NEVER_RAW.match(c) for c in map(chr, range(32, 127)))


HOSTILE_TEXTS = [
    *BITS,
    *("a" + bit + '"' for bit in BITS),
    *(bit + "\\" for bit in BITS),
    "".join(BITS),
    " ".join(BITS),
]


def test_node_reads_typescript_data() -> None:
    """Literals and doc comments from TypeScript data are what node takes them for."""
    literals = [strings(TYPESCRIPT).literal(text) for text in HOSTILE_TEXTS]
    docs = [comments(TYPESCRIPT).doc(text, "", 80) for text in HOSTILE_TEXTS]
    notes = [comments(TYPESCRIPT).line(text, "", 80) for text in HOSTILE_TEXTS]
    lines = [
        f"{d}\n{n}\nout.push({x});"
        for d, n, x in zip(docs, notes, literals, strict=True)
    ]
    source = (
        "const out = [];\n" + "\n".join(lines) + "\nconsole.log(JSON.stringify(out));"
    )
    done = subprocess.run(
        [need("node"), "--input-type=module", "-"],
        input=source.encode(),
        capture_output=True,
        check=True,
    )
    assert json.loads(done.stdout) == HOSTILE_TEXTS


def test_rustc_reads_rust_data(tmp_path: Path) -> None:
    """Literals and doc comments from Rust data are what rustc takes them for."""
    items = [
        f"{comments(RUST).doc(text, '', 100)}\n"
        f"{comments(RUST).line(text, '', 100)}\n"
        f"pub const T{number}: &str = {strings(RUST).literal(text)};\n"
        for number, text in enumerate(HOSTILE_TEXTS)
    ]
    names = ", ".join(f"T{number}" for number in range(len(items)))
    main = (
        f"fn main() {{ for t in [{names}] {{ println!({{}}, t.escape_unicode()); }} }}"
    )
    source = tmp_path / "main.rs"
    source.write_text("".join(items) + main.replace("{}", '"{}"'), encoding="utf-8")
    binary = tmp_path / "main"
    subprocess.run([need("rustc"), "-Dwarnings", "-o", binary, source], check=True)
    out = subprocess.run([binary], capture_output=True, check=True, text=True).stdout
    read = [
        "".join(chr(int(x, 16)) for x in re.findall(r"\\u\{(\w+)\}", line))
        for line in out.splitlines()
    ]
    assert read == HOSTILE_TEXTS


# --------------------------------------------------------------------------- comments


@pytest.mark.parametrize(
    ("name", "paragraphs", "comment"),
    [
        ("python", "A limit was passed.", '"""A limit was passed."""'),
        ("python", ["One.", "", "Two."], '"""One.\n\n    Two.\n    """'),
        ("python", "", '""""""'),
        ("python", [], '""""""'),
        ("python", " a\n\n   b\t c ", '"""a b c"""'),
        (
            "python",
            f"A {'long ' * 7}text.",
            f'"""A{" long" * 6}\n    long text.\n    """',
        ),
        ("python", f"A {'long' * 6} end.", f'"""A {"long" * 6}\n    end.\n    """'),
        ("python", "long" * 20, f'"""{"long" * 20}"""'),
        (
            "python",
            f"Code {'x ' * 9}`y {'z ' * 9}`",
            f'"""Code {"x " * 8}x\n    `y {"z " * 9}`\n    """',
        ),
        ("python", 'Say "no"', '"""Say "no" """'),
        ("python", '"No" it says', '""" "No" it says"""'),
        ("python", 'a """ b', '"""a \\"\\"\\" b"""'),
        ("python", "ends in \\", '"""ends in \\\\"""'),
        ("python", r"\N{foo} \x4", r'"""\\N{foo} \\x4"""'),
        ("python", "C:\\Users\u202e", r'"""C:\\Users\u202e"""'),
        ("typescript", "A limit.", "/** A limit. */"),
        (
            "typescript",
            ["One.", "Two."],
            "/**\n     * One.\n     *\n     * Two.\n     */",
        ),
        ("typescript", "", "/** */"),
        ("typescript", "*/ x /* {@link Y}", "/** *\\/ x /\\* {\\@link Y} */"),
        ("typescript", "\u2028", "/** \\u2028 */"),
        ("rust", "A limit.", "/// A limit."),
        ("rust", ["One.", "Two."], "/// One.\n    ///\n    /// Two."),
        ("rust", "", "///"),
        ("rust", "a\rb", "/// a b"),
        ("rust", "x\n\n    let code = 1;", "/// x let code = 1;"),
        ("rust", "```rust Vec<u8> `Vec<u8>`", "/// \\`\\`\\`rust Vec\\<u8> `Vec<u8>`"),
        (
            "rust",
            "Forty columns are what is there - not",
            "/// Forty columns are what is there\n    /// \\- not",
        ),
    ],
)
def test_doc_comment(name: str, paragraphs: str | list[str], comment: str) -> None:
    """A doc comment takes one line if it can, and closes only where it ends."""
    assert comments(LANGUAGES[name]).doc(paragraphs, "    ", 40) == comment


@thorough
@given(st.lists(batches, min_size=1, max_size=8), st.integers(20, 120))
def test_docstrings_mean_their_text(texts: Sequence[Sequence[str]], width: int) -> None:
    """A docstring compiles without a warning, says its text, and black leaves it be."""
    doc = comments(PYTHON).doc
    source = "\n\n".join(
        f"class C{number}:\n"
        f"    {doc(paragraphs, '    ', width)}\n\n"
        f"    def f(self):\n"
        f"        {doc(paragraphs[0], '        ', width)}\n"
        for number, paragraphs in enumerate(texts)
    )
    source = f"{doc(texts[0], '', width)}\n\n\n" + source
    module = compiled(source)
    assert blackened(source) == source
    assert said(module) == " ".join(fold(p) for p in texts[0] if fold(p))
    for node, paragraphs in zip(module.body[1:], texts, strict=True):
        assert isinstance(node, ast.ClassDef)
        assert said(node) == " ".join(fold(p) for p in paragraphs if fold(p))


def said(node: ast.Module | ast.ClassDef) -> str:
    """The docstring of `node`, its white space folded as Python source may have it."""
    found = ast.get_docstring(node, clean=False)
    assert found is not None
    return " ".join(re.findall("[^ \n]+", found))


@pytest.mark.parametrize("name", LANGUAGES)
@given(paragraphs=st.lists(hostile, max_size=4), width=st.integers(10, 100))
def test_lines_keep_to_the_width(name: str, paragraphs: list[str], width: int) -> None:
    """Only a word (or code) longer than the line stands beyond the last column."""
    paragraphs = [text.replace("`", "") for text in paragraphs]
    for form in (comments(LANGUAGES[name]).line, comments(LANGUAGES[name]).doc):
        indent = "      "
        first, *rest = form(paragraphs, indent, width).split("\n")
        assert all(line.startswith(indent) or not line for line in rest)
        assert not any(line.endswith(" ") for line in (first, *rest))
        for line in (indent + first, *rest):
            words = (
                line.removeprefix(indent + form.line).removeprefix(form.open).split(" ")
            )
            assert display_width(line) <= width or len([w for w in words if w]) <= 2


@given(hostile, st.integers(10, 100))
def test_block_comment_stays_one(text: str, width: int) -> None:
    """Nothing in a text closes a block comment, opens another, or becomes a tag."""
    comment = comments(TYPESCRIPT).doc(text, "  ", width)
    assert comment.startswith("/**")
    assert comment.endswith("*/")
    assert "*/" not in comment[2:-2]
    assert "/*" not in comment[2:-2]
    assert not re.search(r"(?<!\\)@", comment)


@given(st.lists(hostile, max_size=3), st.integers(10, 100))
def test_line_comment_is_only_that(paragraphs: list[str], width: int) -> None:
    """A Python line comment holds no code, no encoding and no order to a tool."""
    source = comments(PYTHON).line(paragraphs, "", width) + "\n"
    tokens = {t.type for t in tokenize.generate_tokens(io.StringIO(source).readline)}
    assert tokens <= {tokenize.COMMENT, tokenize.NL, tokenize.ENDMARKER}
    compile(source.encode(), "generated.py", "exec")
    assert not re.search(r"coding[:=]|^# (type|fmt|mypy|pyright|ruff):", source, re.M)


# ----------------------------------------------------------------------------- markup


class Markdown(MarkdownIt):
    """GitHub's dialect; the shown text of a link it finds is left as it was."""

    def normalizeLinkText(self, link: str) -> str:
        return link


PARSER = Markdown("gfm-like")
Pieces = list[tuple[str, str]]


@pytest.mark.parametrize(
    ("place", "text", "markdown"),
    [
        ("text", "", ""),
        ("text", "A token, cost, time or call limit was passed.", None),
        ("text", "e.g. 5 > 3, 3 < 5, a = b; AT&T (100%) #12 -1 +1 10.5 a|b C:\\Users", None),
        ("text", "the older name, kept for `deployed_clients` and `Vec<u8>` of {x}",
         "the older name, kept for `deployed_clients` and `Vec<u8>` of &lbrace;x}"),
        ("text", "{{ x }} `{x}` `{{ x }}`",
         "&lbrace;&lbrace; x }} `{x}` <code>&lbrace;&lbrace; x }}</code>"),
        ("text", "snake_case but __init__ and _x_", "snake_case but \\_\\_init\\_\\_ and \\_x\\_"),
        ("text", "*y* ~z~ [a](b) ![c]", "\\*y\\* &#126;z&#126; \\[a\\](b) !\\[c\\]"),
        ("text", "<br> <https://a.b> <5", "&lt;br> &lt;https&colon;//a.b> &lt;5"),
        ("text", "https://x www.a.b", "https&colon;//x www\\.a.b"),
        ("text", "&amp; &#38; & ;", "&amp;amp; &amp;#38; & ;"),
        ("text", "# x", "\\# x"),
        ("text", "#x", "\\#x"),
        ("text", "- x - y", "\\- x - y"),
        ("text", "--dry-run", "--dry-run"),
        ("text", "1. x 1. y", "1\\. x 1. y"),
        ("text", "> x > y", "\\> x > y"),
        ("text", "---", "\\---"),
        ("text", "-- -", "\\-- -"),
        ("text", "===", "&equals;=="),
        ("text", ":::note", "&colon;&colon;&colon;note"),
        ("text", "a:tada:b :-) 8-) x: y", "a&colon;tada:b &colon;-) 8\\-) x: y"),
        ("text", "!!! note", "\\!!! note"),
        ("text", "|---|", "&vert;---|"),
        ("text", "$5", "&dollar;5"),
        ("text", "import x", "&#105;mport x"),
        ("text", "export x", "&#101;xport x"),
        ("text", "important", "important"),
        ("text", "a\n\nb\r\nc\rd", "a b c d"),
        ("text", "```js\nx\n```", "\\`\\`\\`js x \\`\\`\\`"),
        ("text", "unpaired ` here", "unpaired \\` here"),
        ("text", "``x`` ` `", "\\`\\`x\\`\\` \\` \\`"),
        ("text", "` a\n b `", "`a b`"),
        ("text", "`a|b` `\\`", "`a|b` `\\`"),
        ("text", "ends in \\", "ends in \\\\"),
        ("text", "\u2028 `\u202e` \x07", "&#x2028; <code>&#x202e;</code> U+0007"),
        ("heading", "# C# ##", "# C# \\#\\#"),
        ("heading", "Budgets & limits", None),
        ("cell", "a|b `x` `a|b` a\\|b \\", "a\\|b `x` <code>a\\|b</code> a\\\\\\|b &#92;"),
        ("cell", "one\n\n- two\n\n`th\nree`\n", "one<br/>- two<br/>`th ree`"),
        ("anchor", "POLICY_DENIED", None),
        ("anchor", "a.b:c-08P01", None),
        ("anchor", 'a b" `<x>', "a-b-x-"),
    ],
)  # fmt: skip
def test_markdown(place: str, text: str, markdown: str | None) -> None:
    """Markdown source escapes what it must, and prose comes out as it went in."""
    assert MARKUP[place].text(text) == (text if markdown is None else markdown)


@pytest.mark.parametrize(
    ("place", "code", "markdown"),
    [
        ("text", "a|b", "`a|b`"),
        ("cell", "a|b", "<code>a\\|b</code>"),
        ("cell", "{x} <y> \\", "`{x} <y> \\`"),
        ("cell", "a`b", "<code>a\\`b</code>"),
        ("cell", "", ""),
        ("anchor", "a b", "a-b"),
    ],
)
def test_markdown_code(place: str, code: str, markdown: str) -> None:
    """A text that is code as a whole stands in backticks wherever these can hold it."""
    assert MARKUP[place].code(code) == markdown


@thorough
@given(batches)
def test_markdown_says_its_text(texts: Sequence[str]) -> None:
    """A paragraph, a list item and a heading hold the text, and nothing comes of it."""
    shown = [text for text in texts if fold(text)]
    source = "\n".join(
        f"{MARKUP['text'].text(text)}\n\n"
        f"- {MARKUP['text'].text(text)}\n\n"
        f"## {MARKUP['heading'].text(text)}\n"
        for text in shown
    )
    tokens = PARSER.parse(source)
    assert [pieces(t) for t in inlines(tokens)] == [
        p for t in shown for p in [meant(t)] * 3
    ]
    assert {t.tag for t in tokens} <= {"p", "ul", "li", "h2", ""}


@thorough
@given(batches)
def test_markdown_table_keeps_its_shape(texts: Sequence[str]) -> None:
    """A row has as many cells as the template gave it, each with its own text."""
    cell = MARKUP["cell"]
    rows = [
        f"|{cell.text(text)}|x|{cell.code(text)}|{cell.text(text)}|" for text in texts
    ]
    tokens = PARSER.parse("\n".join(["|a|b|c|d|", "|-|-|-|-|", *rows]))
    found = [pieces(t) for t in inlines(tokens)][4:]
    assert found == [
        p
        for t in texts
        for p in (meant_in_cell(t), [("text", "x")], code_of(t), meant_in_cell(t))
    ]


def inlines(tokens: Sequence[Token]) -> list[Token]:
    return [token for token in tokens if token.type == "inline"]


def pieces(inline: Token) -> Pieces:
    """What a reader sees: text, code and line breaks."""
    found: Pieces = []
    kind = "text"
    for token in inline.children or []:
        if token.type == "html_inline" and token.content == "<br/>":
            found.append(("break", ""))
        elif token.type == "html_inline":
            kind = {"<code>": "code", "</code>": "text"}[token.content]
        elif token.type == "code_inline":
            found.append(("code", token.content))
        elif token.type == "text" and token.content:
            if found and found[-1][0] == kind:
                kind, before = found.pop()
                token.content = before + token.content
            found.append((kind, token.content))
        else:
            assert token.type in ("link_open", "link_close", "text"), token
    return found


def visible(text: str) -> str:
    """Controls, surrogates and noncharacters, which no reference carries, are named."""
    return "".join(
        (
            f"U+{ord(c):04X}"
            if unicodedata.category(c) in ("Cc", "Cs")
            or ord(c) & 0xFFFE == 0xFFFE
            or 0xFDD0 <= ord(c) <= 0xFDEF
            else c
        )
        for c in text
    )


def code_of(text: str) -> Pieces:
    return [("code", visible(fold(text)))] if fold(text) else []


def meant(text: str) -> Pieces:
    """What the catalogue says: text with `code` in single backticks, in one line."""
    bits = re.split(r"(?<!`)`(?! ?`)([^`]+)`(?!`)", fold(text))
    kinds = ["text", "code"] * len(bits)
    found = [
        (kind, visible(fold(bit) if kind == "code" else bit))
        for kind, bit in zip(kinds, bits, strict=False)
    ]
    return [piece for piece in found if piece[1]]


def meant_in_cell(text: str) -> Pieces:
    """The same, with the line breaks that stand outside code."""
    inside_code = re.compile(r"(?<!`)`(?! ?`)([^`]+)`(?!`)")
    text = inside_code.sub(lambda code: fold(code[0]), text)
    lines = [meant(line) for line in re.split("[\r\n]", text) if fold(line)]
    return [piece for line in lines for piece in [("break", ""), *line]][1:]


@given(hostile)
def test_html_is_data_too(text: str) -> None:
    """Another markup needs no more than a file of its own."""
    places = read_markup(HTML)
    written = places["attribute"].text(text)
    assert not re.search('[<>"]', written)
    assert html.unescape(written) == visible(fold(text))
    assert set(re.findall("<[^>]*>", places["text"].text(text))) <= {
        "<code>",
        "</code>",
        "<br>",
    }


# ------------------------------------------------------------------------ and the rest


@pytest.mark.parametrize(
    ("text", "width"),
    [("abc", 3), ("", 0), ("中文", 4), ("e\u0301", 1), ("\ufeff\u200b", 0)],
)
def test_fit(text: str, width: int) -> None:
    """The one-line form is taken as long as its columns, not its characters, fit."""
    assert fit(text, "many", width) == text
    assert fit(text, "many", width - 1) == "many"


@pytest.mark.parametrize(
    "bit",
    [
        "`",
        "``",
        "\\",
        "|",
        "\\|",
        '"',
        "*",
        "_",
        "_a",
        "&",
        "&a;",
        "#",
        "-",
        "=",
        "[",
        "<",
        "{",
        "a",
        "a:",
        "/",
        "*/",
        "1.",
        "\u202e",
        "é",
    ],
)
def test_long_texts_take_no_time(bit: str) -> None:
    """Five thousand characters of anything are written at once: nothing backtracks."""
    for text in (bit * 5000, f"{bit} " * 2500):
        for language in LANGUAGES.values():
            strings(language).literal(text)
            comments(language).line(text, "", 88)
            comments(language).doc(text, "", 88)
        for place in MARKUP.values():
            place.text(text)
            place.code(text)


@pytest.mark.parametrize(
    ("section", "change", "message"),
    [
        ("strings", {"escapes": {"(": ""}}, "escape of '\\(': "),
        ("strings", {"escapes": {"a": "{1}"}}, "escape of 'a': "),
        ("strings", {"escapes": {"a": "{"}}, "escape of 'a': "),
    ],
)
def test_bad_language_data(section: str, change: dict[str, Any], message: str) -> None:
    """A bad pattern or form is refused: an escape that is left out is a hole."""
    data = {**PYTHON, section: {**PYTHON[section], **change}}
    with pytest.raises(PackError, match=message):
        strings(data)
        comments(data)


def test_python_names() -> None:
    """No name that Python or its exceptions claim is missing from the data."""
    assert set(keyword.kwlist) <= set(PYTHON["reserved"])
    claimed = {n for n in dir(BaseException) if not n.startswith("_")}
    assert claimed <= set(PYTHON["reserved_fields"])
    pascal = {n for n in dir(builtins) if n[0].isupper()} - {"None", "True", "False"}
    assert pascal <= set(PYTHON["builtins"]), sys.version
    for key in ("reserved", "reserved_fields", "builtins"):
        assert len(set(PYTHON[key])) == len(PYTHON[key])
        assert all(isinstance(name, str) for name in PYTHON[key])


def test_a_language_without_astral_escapes_writes_two_halves() -> None:
    """Java and C# know a character beyond U+FFFF only as its UTF-16 halves."""
    data = {k: v for k, v in TYPESCRIPT["strings"].items() if k != "astral"}
    assert Strings.from_data(data).literal("a\U000e0041é") == r'"a\udb40\udc41é"'
