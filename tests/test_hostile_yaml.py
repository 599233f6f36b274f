"""One catalogue, written as odd as YAML allows, gives one output; what YAML tools would
read apart, and what would cost without end, is refused by the command."""

from __future__ import annotations

import pathlib
import re
import subprocess
import sys
from collections.abc import Callable

import pytest

from support import compile_files, errspec

CATALOGUE = """\
errspec: 1
id: odd
title: Odd
version: 0.1.0
languages: [python, typescript]
base_class: OddError
groups:
  one: {title: One, meaning: A group.}
attributes: {note: {type: string}, delay: {type: string}}
codes:
  A_CODE:
    group: one
    meaning: Something of two lines.
    hint: Do it.
    retryable: false
    wire: a code
    aliases: [an alias]
    raised_by: [somebody]
    message: A message.
    since: 2024-01-01
    attributes: {note: a note, delay: 1:30}
    deprecated: {since: 1.10, reason: It is odd.}
  NO: {group: one, meaning: A no., retryable: true}
"""


def swap(old: str, new: str) -> Callable[[str], str]:
    """Return what writes one part of a text in another way."""

    def swapped(text: str) -> str:
        assert old in text
        return text.replace(old, new)

    return swapped


def block(head: str, tail: str = "") -> Callable[[str], str]:
    """Return what writes every plain text of a code as a block scalar."""

    def blocks(text: str) -> str:
        keys = "meaning|hint|wire|message|since"
        return re.sub(
            rf"^    ({keys}): (.*)$",
            rf"    \1: {head}\n      \2{tail}",
            text,
            flags=re.M,
        )

    return blocks


SAME: dict[str, Callable[[str], str | bytes]] = {
    "a byte-order mark": lambda text: b"\xef\xbb\xbf" + text.encode(),
    "line ends of Windows": swap("\n", "\r\n"),
    "line ends of an old Mac": swap("\n", "\r"),
    "line ends of all kinds": lambda text: (
        text.replace("\n", "\r\n", 5).replace("codes:\n", "codes:\r")
    ),
    "no line end at the end": lambda text: text.rstrip("\n"),
    "a version of YAML": lambda text: f"%YAML 1.2\n---\n{text}...\n",
    "line ends that only some know, in a comment": swap(
        "codes:\n", "# a\u2028b\u2029c\x85d: e\ncodes: # f\u2028g: h\n"
    ),
    "a literal block": block("|"),
    "a literal block that strips": block("|-"),
    "a literal block that keeps": block("|+", "\n\n"),
    "a folded block": block(">"),
    "a folded block that keeps": block(">+", "\n \n"),
    "a block with lines after it": block("|", "\n\n\n"),
    "a text over two lines": swap("of two lines.", "of\n      two lines."),
    "quotes": lambda text: re.sub(r"^(    \w+): ([^\[{\n]*[a-z.])$", r"\1: '\2'", text)
    .replace("  NO:", "  'NO':")
    .replace("2024-01-01", "'2024-01-01'")
    .replace("1.10", '"1.10"')
    .replace("1:30", "'1:30'"),
    "lists without brackets": lambda text: (
        text.replace("[an alias]", "an alias").replace("[somebody]", "somebody")
    ),
    "lists of blocks": swap("[an alias]", "\n    - |\n      an alias\n"),
    "braces throughout": swap(
        "{group: one, meaning: A no., retryable: true}",
        "\n    {group: one,\n     'meaning': A no. ,\n     retryable: true,\n    }",
    ),
    "complex marks": swap("  NO: {", "  ? NO\n  : {"),
    "comments and blank lines": lambda text: "# c: d\n\n" + text.replace(
        "\n    ", " # x: y\n\n    # z\n    "
    ).replace("A_CODE: #", "A_CODE: # #"),
}  # fmt: skip


def output(raw: str | bytes, folder: pathlib.Path) -> dict[str, str]:
    """Compile a catalogue through all packs."""
    spec = folder / "catalogue.yaml"
    spec.write_bytes(raw if isinstance(raw, bytes) else raw.encode())
    packages = compile_files(spec, "python", "typescript", "markdown", "json")
    return {f"{p.folder}/{n}": text for p in packages for n, text in p.files.items()}


@pytest.mark.parametrize("case", SAME)
def test_the_way_of_writing_changes_no_byte(case: str, tmp_path: pathlib.Path) -> None:
    """Line ends, quotes, blocks and comments say nothing: the output is the same."""
    written = SAME[case](CATALOGUE)
    assert written != CATALOGUE
    assert output(written, tmp_path) == output(CATALOGUE, tmp_path)


def test_dates_and_numbers_arrive_as_they_are_written(tmp_path: pathlib.Path) -> None:
    """2024-01-01 is no date, 1.10 is not 1.1, 1:30 is not 90, and NO is not false."""
    found = output(CATALOGUE, tmp_path)
    words = ('"2024-01-01"', '"1.10"', '"1:30"', '"NO"')
    for name in (
        "python/odd/odd_errors/codes.py",
        "typescript/odd/index.js",
        "json/odd/catalogue.json",
    ):
        assert all(word in found[name] for word in words), name
    page = found["markdown/odd/errors.md"]
    assert "`NO`" in page and "Deprecated since 1.10." in page


VERDICTS = {
    **dict.fromkeys(("yes", "On", "TRUE", "True", "y", "always"), "true"),
    **dict.fromkeys(("no", "Off", "FALSE", "n", "never", "flase"), "false"),
    "none": "unset",
    "'true'": "true, without quotes",
}


def test_a_verdict_in_other_words_is_an_error_that_says_what_is_meant(
    tmp_path: pathlib.Path,
) -> None:
    """No word of another YAML becomes a verdict in silence, nor a text."""
    head = CATALOGUE.partition("codes:\n")[0]
    codes = (f"  E_{n}: {{retryable: {word}}}\n" for n, word in enumerate(VERDICTS))
    (tmp_path / "odd.yaml").write_text(f"{head}codes:\n{''.join(codes)}", "utf-8")
    found = errspec("generate", "odd.yaml", cwd=tmp_path)
    assert found.returncode == 1
    told = re.findall(
        r"error\[verdict-type\].*\n.*retryable: (.+)}\n.* did you mean (.*)\?",
        found.stderr,
    )
    assert dict(told) == VERDICTS
    assert [p.name for p in tmp_path.iterdir()] == ["odd.yaml"]


LAUGHS = "a0: &a0 [x, x]\n" + "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 9)
)
REFUSED: dict[str, tuple[str | bytes, int, str]] = {
    "eight levels of aliases": (LAUGHS, 1, "1:5: error[anchor]"),
    "an alias of itself": ("a: &a [*a]", 1, "1:8: error[alias]"),
    "three thousand brackets": ("[" * 3000, 2, "error[too-deep]"),
    "three thousand braces": ("{a: " * 3000, 2, "error[too-deep]"),
    "a million brackets": ("[" * 1_000_000, 2, "error[too-deep]"),
    "a million keys": ("- \n" * 1_000_000, 2, "error[empty-value]"),
    "a file without end": (b" " * (17 << 20), 2, "error[too-large]"),
    "a pair of surrogates": (r'a: "\ud83d\ude00"', 2, "1:7: error[syntax]"),
    "half a pair": (r'a: "\ud800"', 2, "1:7: error[syntax]"),
    "half a pair, raw": (b"a: \xed\xa0\x80", 2, "not UTF-8 (byte 0xed at offset 3)"),
    "a null character": ("a: b\0c", 2, "1:5: error[control-character]"),
    "UTF-8 that is cut short": ("a: é".encode()[:-1], 2, "byte 0xc3 at offset 3"),
    "Latin-1": ("a: é".encode("latin-1"), 2, "byte 0xe9 at offset 3"),
    "UTF-16": ("a: b".encode("utf-16"), 2, "looks like UTF-16"),
    "an error behind odd line ends": (
        CATALOGUE.replace("codes:\n", "# \u2028\x85\u2029\ncodes:\n").replace(
            "retryable: false", "retryable: maybe"
        ),
        1,
        "odd.yaml:16:16: error[verdict-type]",
    ),
    "an error on a line of an old Mac": (
        CATALOGUE.replace("retryable: false", "retryable: maybe").replace("\n", "\r"),
        1,
        "odd.yaml:15:16: error[verdict-type]",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused_costs_little_and_writes_nothing(
    case: str, tmp_path: pathlib.Path
) -> None:
    """In half a gigabyte of address space: one clear end, the place, and no output."""
    raw, status, message = REFUSED[case]
    spec = tmp_path / "odd.yaml"
    spec.write_bytes(raw if isinstance(raw, bytes) else raw.encode())
    found = subprocess.run(
        [
            "bash",
            "-c",
            f"ulimit -v 500000; {sys.executable} -m errspec generate odd.yaml",
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == status, found.stderr[-2000:]
    assert message in found.stderr
    assert "Traceback" not in found.stderr and "internal error" not in found.stderr
    assert len(found.stderr.splitlines()) < 500
    assert [p.name for p in tmp_path.iterdir()] == ["odd.yaml"]


def test_of_ten_thousand_errors_a_hundred_are_shown_and_all_are_counted(
    tmp_path: pathlib.Path,
) -> None:
    """A large catalogue with a fault of its generator does not flood the terminal."""
    head = CATALOGUE.partition("codes:\n")[0]
    codes = (f"  E_{n}: {{meaning: A., retryable: yes}}\n" for n in range(10_000))
    (tmp_path / "odd.yaml").write_text(f"{head}codes:\n{''.join(codes)}", "utf-8")
    found = errspec("validate", "odd.yaml", cwd=tmp_path)
    assert found.returncode == 1
    assert found.stderr.count("error[verdict-type]") == 100
    assert found.stderr.splitlines()[-2:] == ["… 9900 more", "10000 errors"]
