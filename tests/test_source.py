"""What `source` promises: YAML read one way, and every problem at its exact place."""

from __future__ import annotations

import pathlib
from collections.abc import Iterator
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from wcwidth import wcswidth

from errspec import source
from errspec.diagnostics import (
    Diagnostic,
    ErrspecError,
    On,
    Path,
    Related,
    Unreadable,
    has_errors,
)

NAME = "spec/x.yaml"


def attempt(text: str) -> source.Document:
    """Return the document of a text, also of one that is refused."""
    try:
        return source.parse(text, NAME)
    except Unreadable as refused:
        [document] = refused.documents
        assert isinstance(document, source.Document)
        assert document.data is None
        return document


def places(document: source.Document) -> list[str]:
    """Return "line:column id" for each finding."""
    found = [(document.place(d), d.id) for d in document.diagnostics]
    return [f"{place.line}:{place.column} {id}" for place, id in found]


READ = {
    "words of other languages": (
        "[yes, No, ON, off, y, n, True, FALSE, none, nil]",
        ["yes", "No", "ON", "off", "y", "n", "True", "FALSE", "none", "nil"],
    ),
    "booleans": ("[true, false]", [True, False]),
    "integers": ("[0, -7, 429, 999999999999999]", [0, -7, 429, 999999999999999]),
    "numbers in other clothes": (
        "[0x10, 010, 0o7, 1_000, 1.10, 1e5, .5, +1, -0, 12:30]",
        ["0x10", "010", "0o7", "1_000", "1.10", "1e5", ".5", "+1", "-0", "12:30"],
    ),
    "long numbers": ("[1000000000000000, .inf]", ["1000000000000000", ".inf"]),
    "digits of other scripts": ("[１２, ٣]", ["１２", "٣"]),
    "dates": ("since: 2024-01-01", {"since": "2024-01-01"}),
    "quoted words": (
        "['true', \"5\", 'null', '', \"~\"]",
        ["true", "5", "null", "", "~"],
    ),
    "quoted keys": (
        "{'NO': 1, \"404\": 2, 'null': 3, '': 4, '<<': 5}",
        {"NO": 1, "404": 2, "null": 3, "": 4, "<<": 5},
    ),
    "keys with digits": (
        "{08P01: 1, 5xx: 2, E-1: 3}",
        {"08P01": 1, "5xx": 2, "E-1": 3},
    ),
    "literal block": ("a: |\n  x\n   y \n\n\nb: 1", {"a": "x\n y ", "b": 1}),
    "literal block that keeps": ("a: |+\n  x\n\n\nb: 1", {"a": "x", "b": 1}),
    "literal block that strips": ("a: |-\n  x\n\nb: 1", {"a": "x", "b": 1}),
    "folded block": ("a: >\n  x\n  y\n\n  z\n", {"a": "x y\nz"}),
    "block of a word": ("a: |\n  true\n", {"a": "true"}),
    "text over two lines": ("a: x\n  y\n", {"a": "x y"}),
    "text with marks": ("a: B & c*d, e! #f", {"a": "B & c*d, e!"}),
    "address in braces": ("{a: http://x.y/z}", {"a": "http://x.y/z"}),
    "escapes": (r'a: "\t\x85\u2028\U0001f600\0"', {"a": "\t\x85\u2028\U0001f600\0"}),
    "emoji and signs": ("a: 😀 漢字 é", {"a": "😀 漢字 é"}),
    "no-break space and mark": ("a: b\xa0c\ufeffd", {"a": "b\xa0c\ufeffd"}),
    "byte-order mark": ("\ufeffa: 1", {"a": 1}),
    "CRLF": (
        'a: 1\r\nb: |\r\n  x\r\n  y\r\nc: "z"\r\n',
        {"a": 1, "b": "x\ny", "c": "z"},
    ),
    "CR": ("a: 1\rb: |\r  x\r  y\r", {"a": 1, "b": "x\ny"}),
    "tab in a comment": ("a: 1 #\tx\ty\n#\tz\nb: 'c'#\td\n", {"a": 1, "b": "c"}),
    "tab beside a block header": ("a: | #\tx\n  y\n", {"a": "y"}),
    "line separator in a comment": ("# x\u2028b: 1\x85c: 2\u2029d\na: 1", {"a": 1}),
    "version directive": ("%YAML 1.2\n---\n[yes, 010]", ["yes", "010"]),
    "document marks": ("---\na: 1\n...\n", {"a": 1}),
    "empty collections": ("a: {}\nb: []", {"a": {}, "b": []}),
    "complex marks": ("? a\n: 1\n? |\n  b\n: 2\n", {"a": 1, "b\n": 2}),
    "nothing but text": ("just text", "just text"),
    "a list": ("[]", []),
    "fifty levels": ("[" * 50 + "]" * 50, None),
}


@pytest.mark.parametrize("case", READ)
def test_read(case: str) -> None:
    """A text has one reading, and no scalar turns into what its author did not write."""
    text, data = READ[case]
    document = source.parse(text, NAME)
    assert places(document) == [] or case == "text with marks"
    if data is not None:
        assert document.data == data
        assert repr(document.data) == repr(data)


# The text, the data, and each finding in its order.
FOUND: dict[str, tuple[str, object, list[str]]] = {
    "two codes of one name": (
        "codes:\n  E_X: {a: 1}\n  E_Y: 1\n  E_X: {a: 2}\n",
        {"codes": {"E_X": {"a": 1}, "E_Y": 1}},
        ["4:3 duplicate-key"],
    ),
    "duplicate in a code": (
        "codes: {E_X: {http: 1, 'http': 2}}",
        {"codes": {"E_X": {"http": 1}}},
        ["1:24 duplicate-key"],
    ),
    "problems of a duplicate": (
        "a: 1\na: {b: , c: !t d, e: 1, e: 2}\na: 3\n",
        {"a": 1},
        [
            "2:1 duplicate-key",
            "2:5 empty-value",
            "2:13 tag",
            "2:25 duplicate-key",
            "3:1 duplicate-key",
        ],
    ),
    "key NO": ("codes:\n  NO: 1", {"codes": {"NO": 1}}, ["2:3 ambiguous-key"]),
    "boolean keys": (
        "{OFF: 1, yes: 2, y: 3, N: 4, true: 5}",
        {"OFF": 1, "yes": 2, "y": 3, "N": 4, "true": 5},
        [f"1:{column} ambiguous-key" for column in (2, 10, 18, 24, 30)],
    ),
    "numeric keys": (
        "{404: 1, 0x10: 2, 010: 3, 1_000: 4, 1.5: 5, 12:30: 6, 2024-01-01: 7}",
        {
            "404": 1,
            "0x10": 2,
            "010": 3,
            "1_000": 4,
            "1.5": 5,
            "12:30": 6,
            "2024-01-01": 7,
        },
        [f"1:{column} ambiguous-key" for column in (2, 10, 19, 27, 37, 45, 55)],
    ),
    "null keys": (
        "NULL: 1\n~: 2\nnull: 3\n",
        {"NULL": 1, "~": 2, "null": 3},
        ["1:1 empty-key", "2:1 empty-key", "3:1 empty-key"],
    ),
    "empty key": ("? \n: v\n", {"": "v"}, ["1:1 empty-key"]),
    "nothing after a mark": ("a:\n -   \n", {"a": [None]}, ["2:2 empty-value"]),
    "empty key without a value": (
        "a: {b: 1}\n?\n",
        {"a": {"b": 1}, "": None},
        ["2:1 empty-key", "2:1 empty-value"],
    ),
    "keys that are no scalars": (
        "a: 1\n? [b, !t c]\n: *d\n? {e: }\n: 2\n",
        {"a": 1},
        ["2:3 complex-key", "4:3 complex-key"],
    ),
    "template in braces": ("a: {{ name }}", {"a": {}}, ["1:5 complex-key"]),
    "null values": (
        "a: null\nb: ~\nc:\nd: [Null, NULL]\ne:\n  - x\n  -\n",
        {"a": None, "b": None, "c": None, "d": [None, None], "e": ["x", None]},
        [
            "1:4 empty-value",
            "2:4 empty-value",
            "3:1 empty-value",
            "4:5 empty-value",
            "4:11 empty-value",
            "7:3 empty-value",
        ],
    ),
    "comma in braces": (
        "a: {meaning: Slow, or none, group: b}",
        {"a": {"meaning": "Slow", "or none": None, "group": "b"}},
        ["1:20 empty-value"],
    ),
    "billion laughs": (
        "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n",
        {"a": ["x", "x"], "b": [None, None], "c": [None, None]},
        [
            "1:4 anchor",
            "2:4 anchor",
            "2:8 alias",
            "2:12 alias",
            "3:5 alias",
            "3:9 alias",
        ],
    ),
    "cycle": ("a: &a [*a]", {"a": [None]}, ["1:4 anchor", "1:8 alias"]),
    "anchor of nothing": (
        "[a, &b, c]",
        ["a", None, "c"],
        ["1:3 empty-value", "1:5 anchor"],
    ),
    "anchors of keys": (
        "&a k: &b\n  &c l: v",
        {"k": {"l": "v"}},
        ["1:1 anchor", "1:7 anchor", "2:3 anchor"],
    ),
    "alias as a key": ("*a : 1\nb: 2", {"b": 2}, ["1:1 alias"]),
    "merge key": ("a:\n  <<: *d\n  b: 1", {"a": {"b": 1}}, ["2:3 merge-key"]),
    "python tag": (
        "a: !!python/object/apply:os.system ['false']",
        {"a": ["false"]},
        ["1:4 tag"],
    ),
    "tags": (
        "a: !x b\nc: ! d\ne: !!str 5\nf: !<tag:x,y>\n  - 1\n",
        {"a": "b", "c": "d", "e": 5, "f": [1]},
        ["1:4 tag", "2:4 tag", "3:4 tag", "4:4 tag"],
    ),
    "anchor and tag": (
        "a: !t &b # x\n  c\nd: &e !f\n",
        {"a": "c", "d": None},
        ["1:4 tag", "1:7 anchor", "3:1 empty-value", "3:4 anchor", "3:7 tag"],
    ),
    "tag directive": (
        "%TAG !e! tag:x,2000:\n---\na: !e!b c",
        {"a": "c"},
        ["1:1 directive", "3:4 tag"],
    ),
    "second document": ("a: 1\n---\nb: 2\n", {"a": 1}, ["2:1 second-document"]),
    "tab in text": ("a: b\tc", {"a": "b\tc"}, ["1:5 tab"]),
    "tab in quotes": ('a: "b\tc"', {"a": "b\tc"}, ["1:6 tab"]),
    "tab in a block": ("a: |  # \t\n  b # \tc\n", {"a": "b # \tc"}, ["2:7 tab"]),
    "tab as a space": (
        "a:\tb\t\nc: [\td ]\t# e",
        {"a": "b", "c": ["d"]},
        ["1:3 tab", "1:5 tab", "2:5 tab", "2:9 tab"],
    ),
    "line separators in text": (
        'a: b\u2028c\nd: "e\x85f"\n',
        {"a": "b\ufffdc", "d": "e\ufffdf"},
        ["1:5 line-end", "2:6 line-end"],
    ),
    "lines are counted by newline alone": (
        "# \u2028 \x85\n# \u2029\na: \n",
        {"a": None},
        ["3:1 empty-value"],
    ),
    "columns after a byte-order mark": ("\ufeffa: ~", {"a": None}, ["1:4 empty-value"]),
    "lines after CRLF and CR": (
        "a: 1\r\n\r\nb: ~\rc: ~",
        {"a": 1, "b": None, "c": None},
        ["3:4 empty-value", "4:4 empty-value"],
    ),
    "columns after astral characters": (
        "[😀漢, ~]",
        ["😀漢", None],
        ["1:6 empty-value"],
    ),
    "comment in a text": (
        "message: disk 90% # full\nb: two words  # three\nc: word # x\n",
        {"message": "disk 90%", "b": "two words", "c": "word"},
        ["1:19 comment-cut"],
    ),
}


@pytest.mark.parametrize("case", FOUND)
def test_found(case: str) -> None:
    """What tools read differently is a finding at its place, and the rest stays readable."""
    text, data, found = FOUND[case]
    document = source.parse(text, NAME)
    assert places(document) == found
    assert document.data == data
    warnings = {d.id for d in document.diagnostics if d.severity == "warning"}
    assert warnings <= {"ambiguous-key", "comment-cut"}


@pytest.mark.parametrize("ending", ["\r\n", "\r"])
def test_line_endings(ending: str) -> None:
    """A file with other line endings has the same data, findings and places."""
    for text, _, _ in FOUND.values():
        if "\r" not in text:
            other = source.parse(text.replace("\n", ending), NAME)
            assert other == source.parse(text, NAME)


# The text, the findings (the last is why it is refused), and what the mend says.
REFUSED: dict[str, tuple[str, list[str], str | None]] = {
    "empty": ("", ["1:1 empty-value"], None),
    "comments only": ("# x\n\n# y\n", ["1:1 empty-value"], None),
    "an indented comment only": ("\n  # x\n", ["2:3 empty-value"], None),
    "null": ("# x\nnull\n", ["2:1 empty-value"], None),
    "only a mark": ("---\n", ["1:3 empty-value"], None),
    "only marks": (
        "---\n---\n",
        ["1:3 empty-value", "2:1 second-document"],
        "one file holds one",
    ),
    "only an alias": ("*a", ["1:1 alias"], "write the value out"),
    "colon in a text": ("message: key: value", ["1:13 syntax"], "quote the value"),
    "colon in an item": ("- a: b: c", ["1:7 syntax"], "quote the value"),
    "key below a value": ("a: b\n  c: d", ["2:4 syntax"], "is a ':' missing above?"),
    "double quote": ('a: "b\nc: d', ["1:4 syntax"], "close it"),
    "single quote": ("a: 1\nb: 'c", ["2:4 syntax"], "close it"),
    "quote in quotes": ("a: 'it's'", ["1:8 syntax"], "quote the whole text"),
    "text after quotes": ('a: "b" c', ["1:8 syntax"], "quote the whole text"),
    "bracket": ("a: [b, c", ["1:4 syntax"], "close it"),
    "brace": ("a: {b: 1\nc: 2\n", ["2:2 syntax"], "close it, or quote the text"),
    "bracket of the wrong kind": ("a: {b: [c}", ["1:10 syntax"], "close it, or quote"),
    "bracket too many": ("a: [b]]", ["1:7 syntax"], "quote the whole text"),
    "bare comma": ("a: [b, , c]", ["1:8 syntax"], "quote the text"),
    "at sign": ("a: @b", ["1:4 syntax"], "quote it"),
    "backtick": ("a: `b`", ["1:4 syntax"], "quote it"),
    "percent": ("a: %b", ["1:4 syntax"], "quote it"),
    "asterisks": ("a: **b** c", ["1:4 syntax"], "quote it"),
    "ampersand": ("a: & b", ["1:4 syntax"], "quote it"),
    "exclamation": ("a: !b!c d", ["1:4 syntax"], "quote it"),
    "greater": ("a: > 5", ["1:4 syntax"], "quote it"),
    "question": ("a: ? b", ["1:4 syntax"], "quote it"),
    "colon as a key": (": v", ["1:1 syntax"], "quote it"),
    "dash in a value": ("a: - b", ["1:4 syntax"], "next line"),
    "indented too little": ("a:\n    b: 1\n  c: 2", ["3:3 syntax"], "line it up"),
    "list beside a mapping": ("a: 1\n- b", ["2:1 syntax"], "line it up"),
    "line without a key": ("a: 1\nfoo\nb: 2", ["2:1 syntax"], "key: value"),
    "unknown escape": (r'a: "\d"', ["1:5 syntax"], r"write \\"),
    "pair of surrogates": (
        r'a: "\ud83d\ude00"',
        ["1:7 syntax"],
        "the character itself",
    ),
    "lone surrogate": (r'a: "x\ud800"', ["1:8 syntax"], "the character itself"),
    "raw surrogate": ("a: \ud800", ["1:4 control-character"], "remove it"),
    "short escape": (r'a: "\x4"', ["1:7 syntax"], "the character itself"),
    "unknown directive": ("%FOO x\n---\na: 1", ["1:1 syntax"], "remove the line"),
    "YAML 2": ("%YAML 2.0\n---\na: 1", ["1:1 syntax"], "remove the line"),
    "text after the document": (
        "a: 1\n...\nb: 2",
        ["3:1 syntax"],
        "indent or quote it",
    ),
    "merge conflict": (
        "a: 1\n<<<<<<< HEAD\nb: 1\n=======\nb: 2\n>>>>>>> x\n",
        ["2:1 syntax"],
        None,
    ),
    "end of a merge conflict": ("a: 1\n>>>>>>> x\n", ["2:1 syntax"], None),
    "control character": ("a: 1\nb: é\x1b[31m", ["2:5 control-character"], "remove it"),
    "NUL": ("a\0b", ["1:2 control-character"], "remove it"),
    "tab before a key": ("a:\n\tb: 1", ["2:1 tab"], "indent with spaces"),
    "tab below a value": ("a: 1\n\tb: 2", ["2:1 tab"], "indent with spaces"),
    "tab after spaces": ("a:\n  b: 1\n  \tc: 2", ["3:3 tab"], "indent with spaces"),
    "tab after a dash": ("a:\n  -\tb: 1", ["2:4 tab"], "indent with spaces"),
    "tab in an empty line": ("a: 1\n\t\nb: 2", ["2:1 tab"], "indent with spaces"),
    "tab before a block": ("a: |\n\tx", ["2:1 tab"], "indent with spaces"),
    "findings before the syntax error": (
        "a: *b\nc: ~\nd: e: f",
        ["1:4 alias", "2:4 empty-value", "3:5 syntax"],
        "quote the value",
    ),
    "fifty-one levels": ("[" * 51, ["1:51 too-deep"], None),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case: str) -> None:
    """Text that is no YAML is refused at its place with the mend, next to what was found."""
    text, found, mend = REFUSED[case]
    document = attempt(text)
    assert document.data is None
    assert places(document) == found
    last = document.diagnostics[-1].mend
    assert last is None if mend is None else last and mend in last


HOSTILE = {
    "3000 brackets": "[" * 3000,
    "3000 braces": "{a: " * 3000,
    "3000 dashes": "- " * 3000,
    "3000 question marks": "? " * 3000,
    "3000 indentations": "".join(f"{' ' * n}a:\n" for n in range(3000)),
    "a million brackets": "[" * 1_000_000,
    "a million tabs": "a: '" + "\t\n" * 1_000_000 + "'",
    "a million aliases": "[" + "*a, " * 1_000_000 + "]",
    "a million nulls": "- \n" * 1_000_000,
}


@pytest.mark.parametrize("case", HOSTILE)
def test_limits(case: str) -> None:
    """Text past the limits is refused, without a RecursionError and in bounded memory."""
    document = attempt(HOSTILE[case])
    assert document.data is None
    assert len(document.diagnostics) <= source.MAX_FINDINGS


def test_too_many_values(monkeypatch: pytest.MonkeyPatch) -> None:
    """A text with more values than the limit is refused."""
    monkeypatch.setattr(source.reader, "MAX_EVENTS", 1000)
    assert places(attempt("[" + "a, " * 1000 + "]")) == ["1:1 too-large"]
    assert source.parse("[" + "a, " * 990 + "]", NAME).data == ["a"] * 990


def test_billion_laughs() -> None:
    """Eight levels of aliases are so many findings: nothing is ever expanded."""
    levels = "".join(
        f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n"
        for before, name in zip("abcdefgh", "bcdefghi", strict=True)
    )
    document = source.parse(f"a: &a [x, x]\n{levels}", NAME)
    assert {d.id for d in document.diagnostics} == {"anchor", "alias"}
    assert len(document.diagnostics) == 9 + 8 * 9


def test_control_characters_in_a_comment() -> None:
    """A control character is refused wherever it stands, with where it stands."""
    assert places(attempt("# \x07\na: 1")) == ["1:3 control-character"]


def test_no_libyaml(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without libyaml the error says what to install."""
    monkeypatch.setattr(yaml, "__with_libyaml__", False)
    with pytest.raises(ErrspecError, match="wheel"):
        source.parse("a: 1", NAME)


FILES: dict[str, tuple[bytes, str, str | None]] = {
    "Latin-1": (
        "a: é".encode("latin-1"),
        "not UTF-8 (byte 0xe9 at offset 3)",
        "save it as UTF-8",
    ),
    "UTF-16": (
        "a: é".encode("utf-16"),
        "not UTF-8 (byte 0xff at offset 0)",
        "it looks like UTF-16: save it as UTF-8",
    ),
    "UTF-16 without a mark": (
        "a: b".encode("utf-16-le"),
        "not UTF-8 (byte 0x00 at offset 1)",
        "it looks like UTF-16: save it as UTF-8",
    ),
    "cut short": (
        "a: é".encode()[:-1],
        "not UTF-8 (byte 0xc3 at offset 3)",
        "save it as UTF-8",
    ),
    "encoded surrogate": (
        b"a: \xed\xa0\x80",
        "not UTF-8 (byte 0xed at offset 3)",
        "save it as UTF-8",
    ),
    "too large": (b" " * (source.MAX_BYTES + 1), "larger than 16 MiB", None),
}


@pytest.mark.parametrize("case", FILES)
def test_unreadable_file(case: str, tmp_path: pathlib.Path) -> None:
    """A file that is not UTF-8, or too large, is Unreadable: exit 2, with the reason."""
    raw, message, mend = FILES[case]
    path = tmp_path / "x.yaml"
    path.write_bytes(raw)
    with pytest.raises(Unreadable) as refused:
        source.read(path, NAME)
    [diagnostic] = refused.value.diagnostics
    assert (diagnostic.message, diagnostic.mend, diagnostic.file) == (
        message,
        mend,
        NAME,
    )
    assert refused.value.exit_code == 2
    after = f" ({mend})" if mend else ""
    assert (
        source.show(diagnostic) == f"{NAME}: error[{diagnostic.id}]: {message}{after}"
    )


def test_no_file(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that is missing, a folder, closed to us or no name at all is Unreadable."""

    def reason(path: pathlib.Path) -> str:
        with pytest.raises(Unreadable, match="cannot be read: ") as refused:
            source.read(path)
        [diagnostic] = refused.value.diagnostics
        assert (diagnostic.id, diagnostic.file) == ("unreadable", path.as_posix())
        return diagnostic.message

    assert "No such file" in reason(tmp_path / "none.yaml")
    assert "directory" in reason(tmp_path)
    assert "null byte" in reason(pathlib.Path("a\0b"))

    def closed(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(pathlib.Path, "open", closed)
    assert "Permission denied" in reason(tmp_path / "closed.yaml")


def test_file(tmp_path: pathlib.Path) -> None:
    """A file with a byte-order mark and CRLF reads like one without."""
    path = tmp_path / "x.yaml"
    path.write_bytes("\ufeffa: é\r\nb: ~\r\n".encode())
    document = source.read(path, NAME)
    assert document == source.parse("a: é\nb: ~\n", NAME)
    assert source.read(path).name == path.as_posix()


NESTED = """\
id: x
codes:
  A: {group: g, list: [a, {b: c}]}
  B:
    - - d
    - e: f
      g: |
        text
"""


@pytest.mark.parametrize(
    ("path", "on", "place"),
    [
        ((), "value", (1, 1, 3)),
        (("id",), "key", (1, 1, 3)),
        (("id",), "value", (1, 5, 6)),
        (("codes",), "value", (2, 1, 6)),
        (("codes", "A"), "key", (3, 3, 4)),
        (("codes", "A"), "value", (3, 6, 35)),
        (("codes", "A", "list", 0), "value", (3, 24, 25)),
        (("codes", "A", "list", 0), "key", (3, 24, 25)),
        (("codes", "A", "list", 1, "b"), "value", (3, 31, 32)),
        (("codes", "B", 0), "value", (5, 9, 10)),
        (("codes", "B", 0, 0), "value", (5, 9, 10)),
        (("codes", "B", 1), "value", (6, 7, 8)),
        (("codes", "B", 1, "g"), "value", (7, 10, 11)),
        (("codes", "A", "none"), "value", (3, 3, 4)),
        (("codes", "A", "list", 7, "x"), "value", (3, 17, 21)),
        (("none", 0, "x"), "key", (1, 1, 3)),
        (("codes", "B", "e"), "value", (4, 3, 4)),
    ],
)
def test_place_of_a_path(path: Any, on: Any, place: tuple[int, int, int]) -> None:
    """A path leads to its key or value; one that leads nowhere, to the last key on it."""
    document = source.parse(NESTED, NAME)
    found = document.place(Diagnostic("x", "", NAME, path, on))
    assert (found.line, found.column, found.end_column) == place
    assert found.text == NESTED.split("\n")[found.line - 1]


@pytest.mark.parametrize(
    ("text", "path", "on"),
    [
        ("a: {b: [1, ~]}", ("a", "b", 1), "value"),
        ("a: {b: 1, b: 2}", ("a", "b"), "key"),
        ("a: {b: {<<: 1}}", ("a", "b"), "key"),
        ("a: {b: 1, ? [c] : d}", ("a",), "key"),
        ("a: {b: x\ty}", ("a", "b"), "value"),
        ("a: {NO: 1}", ("a", "NO"), "key"),
        ("a: {b: &c 1}", ("a", "b"), "value"),
    ],
)
def test_path_of_a_finding(text: str, path: Any, on: str) -> None:
    """A finding names the entity that it spoils, so that nothing else is said of that."""
    [diagnostic] = source.parse(text, NAME).diagnostics
    assert (diagnostic.path, diagnostic.on, diagnostic.file) == (path, on, NAME)


def shown(text: str) -> str:
    document = attempt(text)
    return "\n".join(source.show(d, document) for d in document.diagnostics)


SHOWN = {
    "a: 1\ncodes:\n  E: {b: 1}\n  E: 2\n": """\
spec/x.yaml:4:3: error[duplicate-key]: duplicate key E
    4 |   E: 2
      |   ^ remove one of the two
spec/x.yaml:3:3: note: first here
    3 |   E: {b: 1}
      |   ^""",
    "OFF: {meaning: Slow, or none}": """\
spec/x.yaml:1:1: warning[ambiguous-key]: ambiguous key OFF
    1 | OFF: {meaning: Slow, or none}
      | ^^^ quote it: other YAML tools read it as false
spec/x.yaml:1:22: error[empty-value]: or none is empty
    1 | OFF: {meaning: Slow, or none}
      |                      ^^^^^^^ write a value, or quote text with a comma""",
    "a: {b: [1,\nc 2}\n": """\
spec/x.yaml:2:4: error[syntax]: a comma or bracket is missing
    2 | c 2}
      |    ^ close it, or quote the text
spec/x.yaml:1:8: note: opened here
    1 | a: {b: [1,
      |        ^""",
    "\n" * 123_455 + "a: *b": """\
spec/x.yaml:123456:4: error[alias]: aliases are not allowed
123456 | a: *b
       |    ^^ write the value out""",
    "{漢字 😀 e\u0301: 1, 漢字 😀 e\u0301: 2}": """\
spec/x.yaml:1:14: error[duplicate-key]: duplicate key 漢字 😀 e\u0301
    1 | {漢字 😀 e\u0301: 1, 漢字 😀 e\u0301: 2}
      |                ^^^^^^^^^ remove one of the two
spec/x.yaml:1:2: note: first here
    1 | {漢字 😀 e\u0301: 1, 漢字 😀 e\u0301: 2}
      |  ^^^^^^^^^""",
    "a: b\t\t# \x9b": """\
spec/x.yaml:1:9: error[control-character]: control characters are not allowed
    1 | a: b\\t\\t# \\x9b
      |           ^^^^ remove it""",
    "{a: b\t\tc\u202e\u2066, \u200d\U000e0001: *x}": """\
spec/x.yaml:1:6: error[tab]: tabs are not allowed
    1 | {a: b\\t\\tc\\u202e\\u2066, \\u200d\\U000e0001: *x}
      |      ^^^^ write \\t inside double quotes
spec/x.yaml:1:17: error[alias]: aliases are not allowed
    1 | {a: b\\t\\tc\\u202e\\u2066, \\u200d\\U000e0001: *x}
      |                                           ^^ write the value out""",
    '{"\\e[31m\\n\\u202e": }': """\
spec/x.yaml:1:2: error[empty-value]: \\x1b[31m\\n\\u202e is empty
    1 | {"\\e[31m\\n\\u202e": }
      |  ^^^^^^^^^^^^^^^^ write a value, or quote text with a comma""",
    f"a: {'x' * 300} {{}}: {'y' * 300}": f"""\
spec/x.yaml:1:307: error[syntax]: ': ' inside plain text
    1 | …{'x' * 57} {{}}: {'y' * 58}…
      |  {' ' * 60}^ quote the value""",
    f"a: {'y' * 300} # {'z' * 300}\nb: [!{'x' * 300} c]": f"""\
spec/x.yaml:2:5: error[tag]: tags are not allowed
    2 | b: [!{'x' * 115}…
      |     {'^' * 116} remove it""",
}


@pytest.mark.parametrize("text", SHOWN, ids=range(len(SHOWN)))
def test_show(text: str) -> None:
    """A diagnostic shows its line with the caret below the place, harmless and short."""
    assert shown(text) == SHOWN[text]


def test_show_of_a_later_stage() -> None:
    """A diagnostic of any stage is shown as the design page has it."""
    document = source.parse("codes:\n  A:\n    retryable: yes\n", "spec/agent.yaml")
    diagnostic = Diagnostic(
        "verdict-type",
        "retryable must be true, false or unset, not 'yes'",
        "spec/agent.yaml",
        ("codes", "A", "retryable"),
        mend="did you mean true?",
        related=(Related("the code", ("codes", "A")),),
    )
    assert source.show(diagnostic, document) == """\
spec/agent.yaml:3:16: error[verdict-type]: retryable must be true, false or unset, not 'yes'
    3 |     retryable: yes
      |                ^^^ did you mean true?
spec/agent.yaml:2:3: note: the code
    2 |   A:
      |   ^"""


def test_show_with_style() -> None:
    """A style sees each part by its role, and changes nothing else."""
    document = attempt("a: *b")
    text = source.show(
        document.diagnostics[0], document, lambda role, text: f"<{role} {text}>"
    )
    assert text == """\
<place spec/x.yaml:1:4>: <error error[alias]>: aliases are not allowed
    1 | a: *b
      |    <caret ^^> write the value out"""


def test_visible() -> None:
    """Nothing of a hostile text reaches the terminal but letters, signs and spaces."""
    assert source.visible("a b\tc\x1b[0m\r\n\u202e\ud800\xa0\u2028é漢😀") == (
        r"a b\tc\x1b[0m\r\n\u202e\ud800\xa0\u2028é漢😀"
    )
    assert len(source.visible("x" * 10_000)) == source.MAX_TEXT + 1


# What safe_dump writes raw, though YAML tools do not agree on it, is left out.
TEXT = st.one_of(
    st.text(
        st.characters(exclude_categories=["Cs"], exclude_characters="\x85\u2028\u2029"),
        max_size=12,
    ),
    st.sampled_from(
        ["", *" '\"\\=-?|>%@`[{~#&*!5", "<<", "a: b", "a #b", " a", "a\nb"]
    ),
    st.sampled_from(["a\n\n  b\n", "\n", "a:b", "a,b", "#x", "&a", "*a", "!t", "- a"]),
    st.sampled_from(["yes", "NO", "null", "true", "0x10", "1_0", "1e5", "12:30"]),
    st.sampled_from(["2024-01-01", "1.10", "010", ".5", "0o7", "+1", "-0"]),
)
LEAF = TEXT | st.booleans() | st.integers(-(10**15) + 1, 10**15 - 1)
DATA = st.recursive(
    LEAF,
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=20,
)


def walk(data: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Yield each path of the data with what stands there."""
    yield path, data
    items: Any = data.items() if isinstance(data, dict) else ()
    for key, value in enumerate(data) if isinstance(data, list) else items:
        yield from walk(value, (*path, key))


@given(
    st.dictionaries(TEXT, DATA, min_size=1, max_size=4) | st.lists(DATA, min_size=1),
    st.sampled_from([True, False, None]),
    st.booleans(),
    st.sampled_from([2, 4]),
)
@settings(max_examples=150, deadline=None)
def test_round_trip(data: Any, flow: bool | None, escape: bool, indent: int) -> None:
    """What a YAML tool writes is read back as it was, and each path leads to its text."""
    text = yaml.safe_dump(
        data,
        allow_unicode=not escape,
        default_flow_style=flow,
        indent=indent,
        sort_keys=False,
        width=10**6,
    )
    document = source.parse(text, NAME)
    assert document.data == data
    assert {d.id for d in document.diagnostics} <= {"ambiguous-key"}
    for path, value in walk(data):
        if path and isinstance(path[-1], str):
            assert written(document, path, "key") in (path[-1], None)
        if not isinstance(value, dict | list):
            assert written(document, path, "value") in (plain(value), None)


def plain(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def written(document: source.Document, path: Path, on: On) -> str | None:
    """Return what the text at a place says, if it ends in that line."""
    place = document.place(Diagnostic("x", "", NAME, path, on))
    text = place.text[place.column - 1 : place.end_column - 1]
    try:
        return str(yaml.load(text, yaml.BaseLoader))
    except yaml.YAMLError:
        assert place.end_column == len(place.text) + 1
        return None


@given(DATA.map(lambda data: {"a": data}), st.sampled_from("'\"|>"))
@settings(max_examples=100, deadline=None)
def test_round_trip_of_styles(data: Any, style: str) -> None:
    """Text in any style is read back as it was, but for newlines at the end of a block."""

    def texts(value: Any) -> Any:
        if isinstance(value, dict):
            return {k.rstrip("\n"): texts(v) for k, v in value.items()}
        return (
            [texts(v) for v in value]
            if isinstance(value, list)
            else str(value).rstrip("\n")
        )

    data = texts(data)
    text = yaml.safe_dump(
        data, default_style=style, allow_unicode=True, sort_keys=False
    )
    assert source.parse(text, NAME).data == data


PIECES = st.one_of(
    st.sampled_from(
        "\n\n\n:-?,[]{}#&*!|>'\"%@`~\\=<é漢😀\t\r\u2028\x85\u202e\ufeff\0\ud800"
    ),
    st.sampled_from(
        ["  ", "    ", ": ", "- ", " #", "\r\n", "\x1b[0m", '"\\u00e9"', '"\\q"']
    ),
    st.sampled_from(["a", "b", "yes", "null", "404", "<<", "---", "...", "!!str"]),
    st.sampled_from(["%TAG ! x", "%YAML 1.2\n", "<<<<<<< x\n", "|\n  h\n"]),
    st.sampled_from(["a: 1\n", "b: [c, d]\n", "  e: {f: g}\n", "- i\n"]),
)


def spoil(start: int, length: int, piece: str) -> str:
    """Return NESTED with a piece in place of a stretch of it."""
    return NESTED[:start] + piece + NESTED[start + length :]


ANY_TEXT = st.one_of(
    st.text(max_size=60),
    st.lists(PIECES, max_size=40).map("".join),
    st.builds(spoil, st.integers(0, len(NESTED)), st.integers(0, 9), PIECES),
)


@given(ANY_TEXT)
@settings(max_examples=500, deadline=None)
def test_any_text(text: str) -> None:
    """No text raises anything but Unreadable, and each finding stands inside the text."""
    document = attempt(text)
    lines = document.text.split("\n")
    for diagnostic in document.diagnostics:
        spoken: list[Diagnostic | Related] = [diagnostic, *diagnostic.related]
        for what in spoken:
            place = document.place(what)
            assert place.text == lines[place.line - 1]
            assert 1 <= place.column <= place.end_column <= len(place.text) + 1
        message, *frame = source.show(diagnostic, document).split("\n")
        assert message.isprintable()
        assert len(frame) == 2 + 3 * len(diagnostic.related)
        assert all(line.isprintable() for line in frame)
        assert wcswidth(frame[1].partition("^")[0]) <= wcswidth(frame[0]) + 1
    for path, _ in walk(document.data):
        document.place(Diagnostic("x", "", NAME, path))


@given(ANY_TEXT)
@settings(max_examples=300, deadline=None)
def test_same_as_libyaml(text: str) -> None:
    """Text without findings says what PyYAML's own loader of plain text says."""

    def texts(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: texts(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [texts(inner) for inner in value]
        return plain(value).rstrip("\n")

    document = attempt(text)
    agreed = not any(c in text for c in "\x85\u2028\u2029")
    if agreed and document.data is not None and not has_errors(document.diagnostics):
        loaded = yaml.load(document.text, yaml.CBaseLoader)
        assert texts(document.data) == texts(loaded)


def test_a_related_place_may_stand_in_another_document() -> None:
    """A change is shown with both of its sides, each with its own line."""
    old = source.parse("a: 1\ncode: OLD", "old.yaml")
    new = source.parse("code: NEW", "new.yaml")
    was = Related("it was this", ("code",), "value", file="old.yaml")
    found = Diagnostic("renamed", "another", "new.yaml", ("code",), related=(was,))
    shown = source.show(found, new, others={"old.yaml": old}).split("\n")
    assert shown[3:] == [
        "old.yaml:2:7: note: it was this",
        "    2 | code: OLD",
        "      |       ^^^",
    ]
