"""The forms and patterns of language and markup files: checked where they are read."""

from __future__ import annotations

import pathlib
from typing import Any

import pytest

from errspec import forms, resources
from errspec.diagnostics import Findings
from errspec.packs import Library
from errspec.source import read

LANGUAGE = """\
language: klingon
escape: "{name}_"
strings:
  quotes: ['"']
  quote_escape: '\\{}'
  escapes: {'\\\\': '\\\\'}
  bmp: '\\u{:04x}'
comments:
  line: {line: "// "}
  doc: {line: "// "}
literals: {"true": "T", "false": "F", "null": nil, list: "[{items}]"}
types: {string: text, list: "[]{item}", words: "{name}", optional: "*{item}"}
"""
MARKUP = """\
markup: klingon
bmp: "&#{};"
astral: "&#{};"
escapes:
  all: {'<': '&lt;'}
places:
  text:
    escapes: [all]
    code: {verbatim: '`{}`', unless: '`', escaped: '<code>{}</code>'}
"""
WRONG = {
    # Each replaces a text by another; then the line of the error and what it says.
    "an unknown name": ("string: text", 'string: "{foo}"', 12, "nothing fills '{foo}'"),
    "half a brace": ("string: text", 'string: "{item"', 12, "'{' stands alone"),
    "a number": ("string: text", 'string: "{0}"', 12, "nothing fills '{0}'"),
    "a width": ("string: text", 'string: "{item:>1500000000}"', 12, "no width"),
    "an attribute": ("string: text", 'string: "{item.upper}"', 12, "stands alone"),
    "a key": ("string: text", 'string: "{item[0]}"', 12, "stands alone"),
    "a conversion": ("string: text", 'string: "{item!r}"', 12, "stands alone"),
    "what doubles": ("[]{item}", "[{item},{item}]", 12, "more than 1 times"),
    "an optional": ("*{item}", "*{name}", 12, "nothing fills '{name}'"),
    "a list": ("[{items}]", "[{item}]", 11, "nothing fills '{item}'"),
    "a reserved name": ("{name}_", "{name}{0}", 2, "nothing fills '{0}'"),
    "a quote": ("'\\{}'", "'{quote}'", 5, "nothing fills '{quote}'"),
    "a quote's width": ("'\\{}'", "'{:>99}'", 5, "no width"),
    "a character": (":04x", ":1500000000x", 7, "at most nine columns"),
    "a character's attribute": (":04x}", ".real}", 7, "stands alone"),
    "a nested width": (":04x", ":{}x", 7, "stands alone"),
    "an escape": ("'\\\\': '\\\\'", "'(a)': '{2}'", 6, "there is {0}, {1}"),
    "an escape's attribute": ("'\\\\': '\\\\'", "a: '{0.upper}'", 6, "stands alone"),
    "an escape's width": ("'\\\\': '\\\\'", "a: '{:1500000000}'", 6, "no width"),
    "a mixture": ("'\\\\': '\\\\'", "'(a)': '{0}{}'", 6, "cannot stand in one form"),
    "many times": ("'\\\\': '\\\\'", f"a: '{'{0}' * 9}'", 6, "more than 4 times"),
    "a long form": ("'\\\\': '\\\\'", f"a: '{'b' * 99}'", 6, "longer than 64"),
    "no pattern": ("'\\\\': '\\\\'", "'(a': b", 6, "no regular expression"),
    "a flag inside": ("'\\\\': '\\\\'", "'(?i)a': b", 6, "no regular expression"),
    "a group's name": ("'\\\\': '\\\\'", "'(?P<a>b)': b", 6, "can name no group"),
    "a reference": ("'\\\\': '\\\\'", "'(a)\\1': b", 6, "can name no group"),
    "a comment's escape": ('line: "// "', "escapes: {a: '{1}'}", 9, "there is {0}"),
    "a comment's start": ('line: "// "', "starts: {'[': a}", 9, "no regular"),
    "a reference's name": ('bmp: "&#{};"', 'bmp: "{x}"', 2, "nothing fills '{x}'"),
    "a table's pattern": ("'<'", "'('", 5, "no regular expression"),
    "a table's form": ("&lt;", "{1}", 5, "nothing fills '{1}'"),
    "code's form": ("'`{}`'", "'{a}'", 9, "nothing fills '{a}'"),
    "code's pattern": ("unless: '`'", "unless: '('", 9, "no regular expression"),
    "no such table": ("[all]", "[some]", 8, "there is no table 'some'"),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_form_that_cannot_be_filled_is_an_error_at_its_line(
    tmp_path: pathlib.Path, case: str
) -> None:
    """Nothing reaches into a value, makes a width of its own, or fails while writing."""
    old, new, line, said = WRONG[case]
    kind, content = next(
        (kind, content)
        for kind, content in (("language", LANGUAGE), ("markup", MARKUP))
        if old in content
    )
    folder = {"language": "languages", "markup": "markup"}[kind]
    path = tmp_path / folder / "klingon.yaml"
    path.parent.mkdir()
    path.write_text(content, encoding="utf-8")
    getattr(Library([tmp_path]), kind)("klingon")
    path.write_text(content.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(Findings) as found:
        getattr(Library([tmp_path]), kind)("klingon")
    [fault] = found.value.diagnostics
    assert said in fault.message
    [document] = found.value.documents
    assert document.place(fault).line == line


def test_our_own_files_keep_the_rules_of_forms() -> None:
    """They are not checked in every run, so they are here."""
    folder = resources.folder("templates")
    kinds: dict[str, Any] = {
        "languages/*.yaml": "language",
        "markup/*.yaml": "markup",
        "*/pack.yaml": "pack",
    }
    found = {
        path: forms.check(read(path), kind)
        for glob, kind in kinds.items()
        for path in folder.glob(glob)
    }
    assert len(found) >= 5 and not any(found.values())
