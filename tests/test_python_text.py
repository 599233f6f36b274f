"""Any text in any text field of a catalogue arrives in the imported Python as that text,
and on the Markdown page as what a reader reads there."""

from __future__ import annotations

import itertools
import pathlib
import re
import tempfile
import tomllib
import unicodedata
from collections.abc import Sequence
from typing import Any

import yaml
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from packages import imported
from support import compile_files, write

WORDS = """
\\ ' " ''' \"\"\" \"\"\"\" ` `` `a|b` `code` | \\| \\\\ \\" \\N{x} \\u12 \\x4 { } {{ }} {x} {0} %s %
{{7*7}} {%_raw_%} {%_endraw_%} {#_x_#} {%_if_ ${x} $x <br> </code> <a_id="x"> <!-- --> &amp; &#65; ]]>
*/ /* // # ## - --- === > 1. *x* _x_ __x__ ~~x~~ [a](b) ![a](b) https://a.b www.a.b a@b.cd :::
coding:latin-1 type:ignore fmt:off noqa errspec:end NULL true yes 0x10 :x x: - ? @x &x *x !x
"""  # an underscore beside a % is a blank
HOSTILE = [word.replace("_", " ") if "%" in word else word for word in WORDS.split()]
HOSTILE += list(
    "\n\r\t\v\f\0\a\x1b\x7f\x85\xa0\xad\u2028\u2029\u200b\u202e\u2066\ufeff\ufffe"
)
HOSTILE += [
    "é",
    "e\u0301",
    "ע",
    "中",
    "😀",
    "👩\u200d👧",
    "\U000e0041",
    "\U0010ffff",
    "  ",
]


def is_shown(text: str) -> bool:
    """Tell whether a text is more than blanks and what nobody sees.

    Nor is it the word that in a rule means any value.
    """
    shown = [char for char in text if char.isprintable() and not char.isspace()]
    return bool(shown) and text != "any"


pieces = st.sampled_from(HOSTILE) | st.text(
    st.characters(exclude_categories=["Cs"]), max_size=3
)
texts = st.lists(pieces, min_size=1, max_size=6).map("".join).filter(is_shown)
# The same text may stand for one thing alone where it is a name.
some = st.lists(texts, min_size=24, max_size=24, unique_by=(lambda t: t, str.strip))

CATALOGUE = """
errspec: 1
id: text{number}
title: {0}
version: 0.1.0
languages: [python, typescript]
base_class: TextError
class_per_code: true
docs_url: "https://example.org/#{{anchor}}"
groups: {{one: {{title: {1}, meaning: {2}}}}}
types: {{Item: {{meaning: {3}, fields: {{word: {{type: [{4}], wire: {5}}}}}}}}}
attributes: {{note: {{type: string, meaning: {6}}}}}
classes: {{ManyError: {{meaning: {7}, hint: {8}, retryable: true, group: one}}}}
codes:
  FULL:
    group: one
    meaning: {9}
    hint: {10}
    message: {message}
    wire: {11}
    aliases: [{12}]
    raised_by: [{13}, {14}]
    attributes: {{note: {15}}}
    fields:
      word: {{type: [{4}, {16}], wire: {5}, meaning: {17}}}
      path: {{type: string, optional: true}}
    retryable:
      rules: [{{when: {{word: {4}, path: {18}}}, then: true, hint: {19}}}]
      else: false
    deprecated: {{since: {20}, reason: {21}}}
    languages: {{typescript: {{code: FULLY, reason: {22}}}}}
  FIXED: {{group: one, meaning: {9}, retryable: true, fields: {{path: {{type: string}}}}, const: {{path: {18}}}}}
  AWAY: {{group: one, meaning: {9}, retryable: true, languages: {{python: {{absent: true, reason: {22}}}}}}}
  ONE: {{class: ManyError, meaning: {9}}}
  TWO: {{class: ManyError, meaning: {9}, message: {message}}}
  GONE: {{retired: {{since: {20}, reason: {23}}}}}
"""
numbers = itertools.count()


def quoted(text: str) -> str:
    """Write a text as YAML can carry it: in double quotes, with escapes."""
    return yaml.safe_dump(text, default_style='"', width=10**9).removesuffix("\n")


@settings(
    max_examples=40,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate],  # shrinking a catalogue takes minutes
)
@given(some)
@example([f"text {n} with one ` that is alone." for n in range(24)])
def test_a_text_arrives_as_it_is(texts: list[str]) -> None:
    """Meanings, hints, reasons, words, names on the wire, messages: all come back equal
    from the imported module, and the page's headings and cells show them."""
    message = texts[16].replace("{", "{{").replace("}", "}}")
    number = next(numbers)
    text = CATALOGUE.format(*map(quoted, texts), number=number, message=quoted(message))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "catalogue.yaml").write_text(text, encoding="utf-8")
        python, page = compile_files(folder / "catalogue.yaml", "python", "markdown")
        project = tomllib.loads(python.files["pyproject.toml"])["project"]
        assert project["description"] == texts[0].strip()
        with imported(write(python, folder)) as package:
            check_module(package, texts)
        check_page(page.files["errors.md"], texts)


def check_module(package: Any, texts: Sequence[str]) -> None:
    prose = [text.strip() for text in texts]
    full = package.CODES["FULL"]
    assert (full.meaning, full.hint) == (prose[9], prose[10])
    assert (full.wire, full.aliases) == (texts[11], (texts[12],))
    assert full.raised_by == (texts[13], texts[14])
    assert full.attributes == {"note": texts[15]}
    [rule] = full.rules
    assert (rule.when, rule.hint) == (
        {"word": (texts[4],), "path": (texts[18],)},
        prose[19],
    )
    assert full.deprecated == {"since": texts[20], "reason": prose[21]}
    assert package.CODES["AWAY"].absent == {"python": prose[22]}
    assert package.CODES["GONE"].retired == {"since": texts[20], "reason": prose[23]}
    for word in texts[4], texts[16]:
        error = package.FullError(word=word)
        assert (error.word, error.message, str(error)) == (word, texts[16], texts[16])
        wire = package.to_wire(error)
        assert wire == {
            "code": texts[11],
            "message": texts[16],
            "retryable": False,
            texts[5]: word,
        }
        assert repr(package.from_wire(wire)) == repr(error)
    assert package.FullError(word=texts[4], path=texts[18]).retryable is True
    assert package.matches(error, texts[12])
    assert package.FixedError("m").path == texts[18]
    assert package.ManyError("TWO").message == texts[16]
    assert package.Item(word=texts[4]).word == texts[4]
    assert package.lookup(texts[12]) is full


PARSER = MarkdownIt("gfm-like")
CODE = re.compile(r"(?<!`)`(?! ?`)([^`]+)`(?!`)")


def check_page(page: str, texts: Sequence[str]) -> None:
    prose = [text.strip() for text in texts]
    tokens = PARSER.parse(page)
    assert {token.type for token in tokens} <= SHAPES
    headings = [inline for kind, inline in blocks(tokens) if kind.startswith("h")]
    named = [prose[0], prose[1], "Differences between languages", "Retired codes"]
    assert [seen(inline) for inline in headings] == [bare(name) for name in named]
    paragraphs = [inline for kind, inline in blocks(tokens) if kind == "p"]
    assert seen(paragraphs[2]) == bare(prose[2])
    cells = [inline for kind, inline in blocks(tokens) if kind == "td"]
    rows = [
        [seen(cell) for cell in cells[at : at + 4]] for at in range(0, len(cells), 4)
    ]
    assert rows[0] == [
        "FULL" + bare("TypeScript: spelt FULLY"),
        bare(
            f"{prose[9]} What to do: {prose[10]} "
            f"Deprecated since {texts[20]}. {prose[21]}"
        ),
        bare(
            f"yes if word is {texts[4]} and path is {texts[18]}: {prose[19]} otherwise no"
        ),
        bare(f"{texts[13]}, {texts[14]}"),
    ]
    assert [row[1] for row in rows[1:5]] == [bare(prose[9])] * 4
    assert rows[5][3] == bare(prose[22])
    assert rows[7] == ["GONE", bare(texts[20]), "", bare(prose[23])]
    assert len(rows) == 8
    # Code in backticks is code, and nothing else is.
    code = [" ".join(found.split()) for found in CODE.findall(prose[9])]
    assert [found for found in codes(cells[5]) if found] == [bare(c) for c in code if c]


SHAPES = {"inline", "hr"} | {
    f"{block}_{end}"
    for block in ("heading", "paragraph", "table", "thead", "tbody", "tr", "th", "td")
    for end in ("open", "close")
}


def blocks(tokens: Sequence[Token]) -> list[tuple[str, Token]]:
    """Return each block's tag with its inline token."""
    pairs = itertools.pairwise(tokens)
    return [(first.tag, second) for first, second in pairs if second.type == "inline"]


def seen(inline: Token) -> str:
    """Return what a reader sees of a block, without white space and backticks."""
    found = ""
    for token in inline.children or []:
        if token.type == "html_inline":
            assert re.fullmatch(
                r'<br/>|</?code>|<a (?:id="|href="#)[\w.:-]+">|</a>', token.content
            )
        elif token.markup != "linkify":  # some parsers make links of a@b and //c.d
            assert token.type in ("text", "text_special", "code_inline"), token
            found += token.content
    return bare(found)


def codes(inline: Token) -> list[str]:
    """Return what stands as code in a block."""
    found: list[str] = []
    inside = False
    for token in inline.children or []:
        if token.type == "code_inline":
            found.append(token.content)
        elif token.type == "html_inline":
            inside = token.content == "<code>"
            found += [""] * inside
        elif inside:
            found[-1] += token.content
    return [bare(text) for text in found]


def bare(text: str) -> str:
    """Return a text as a page shows it, without white space and backticks."""
    return re.sub(r"[\s`]", "", "".join(map(shown, text)))


def shown(char: str) -> str:
    """Return a character as Markdown can show it: of controls it holds the number."""
    number = ord(char)
    control = unicodedata.category(char) == "Cc" and char not in "\t\n\v\f\r"
    if control or 0xFDD0 <= number <= 0xFDEF or number & 0xFFFE == 0xFFFE:
        return f"U+{number:04X}"
    return char
