"""Regions of pages that people write: found, filled, and nothing else of a page touched."""

from __future__ import annotations

import json
import os
import pathlib
import re
import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import yaml
from hypothesis import event, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from errspec import disk, manifest, output
from errspec.config import load
from errspec.diagnostics import Findings, OutputError, Unreadable
from errspec.inject import inject, request
from errspec.project import Project
from hostile import HOSTILE, catalogue, spoken
from support import ROOT, errspec, need, run
from test_hostile_text import MDX, SLOT, read
from test_python_text import bare as on_page

SPEC = """\
errspec: 1
id: shop
title: Shop errors
version: 1.0.0
languages: [python, typescript]
base_class: ShopError
groups:
  orders: {title: Orders}
  payment: {title: Payment}
codes:
  GONE: {group: orders, meaning: Nothing is left., retryable: false}
  BANK:
    group: payment
    meaning: The bank said no.
    retryable: true
    languages:
      typescript: {code: BANK_NO, reason: an older name}
  INNER: {group: orders, meaning: For nobody., retryable: false, internal: true}
  OLD: {group: orders, meaning: Not any more., retired: {since: 0.9.0, reason: nobody}}
"""
BEGIN, END = "<!-- errspec:begin list group=orders -->", "<!-- errspec:end -->"
BODY = "- `GONE`: Nothing is left.\n"
OUT = "generated"


@pytest.fixture
def folder(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    """A project with one catalogue, in which the test runs."""
    return project_in(tmp_path, monkeypatch)


def project_in(
    folder: pathlib.Path, monkeypatch: pytest.MonkeyPatch, config: str = ""
) -> pathlib.Path:
    text = f"errspec: 1\ncatalogues: [{{spec: shop.yaml, targets: markdown}}]\n{config}"
    (folder / "errspec.yaml").write_text(text, encoding="utf-8")
    (folder / "shop.yaml").write_text(SPEC, encoding="utf-8")
    monkeypatch.chdir(folder)
    return folder


def planned(*names: str) -> output.Plan:
    """Compare pages of the project in which we are with what they should be."""
    from errspec.config import PageEntry

    project = Project(load(()))
    loaded = project.load_all()
    entries = [PageEntry(pathlib.Path(name)) for name in names]
    injected = inject(project, loaded, entries)
    return output.plan(pathlib.Path(OUT), (), [each.page for each in injected])


def write(name: str, data: str | bytes) -> pathlib.Path:
    path = pathlib.Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def filled(text: str, name: str = "page.md") -> str:
    """Return a page after its regions were written."""
    path = write(name, text)
    output.apply(planned(name))
    return path.read_bytes().decode()


# ------------------------------------------------------------------ what stays of a page

FRONT = "---\ntitle: x\nnote: |\n  ```\n---\n"
AROUND: dict[str, tuple[str, str, str]] = {
    # before the begin; how lines end; after the end
    "nothing": ("", "\n", ""),
    "LF": ("# Hi\n\n", "\n", "\n\nBye.\n"),
    "CRLF": ("# Hi\r\n\r\n", "\r\n", "\r\n\r\nBye.\r\n"),
    "CR alone": ("# Hi\r\r", "\r", "\r\rBye.\r"),
    "no line ending at the end": ("# Hi\n\n", "\n", "\n\nBye."),
    "many line endings at the end": ("", "\n", "\n\n\n\n"),
    "a byte-order mark": ("\ufeff# Hi\n\n", "\n", "\nBye.\n"),
    "a byte-order mark before the marker": ("\ufeff", "\n", "\n"),
    "front matter with an open fence": (FRONT, "\n", "\n"),
    "front matter with a byte-order mark and CRLF": (
        "\ufeff" + FRONT.replace("\n", "\r\n"),
        "\r\n",
        "\r\n",
    ),
    "front matter of TOML": ('+++\ntitle = "```"\n+++\n', "\n", "\n"),
    "line endings of every kind": ("a\rb\r\nc\n\n", "\n", "\r\n\rd\r\n"),
    "CRLF in a page with LF": ("a\n\n", "\r\n", "\nb\n"),
    "what only some take for line ends": ("a\fb\x0bc\u2028d\x85e\n\n", "\n", "\n\f\n"),
    "blanks at line ends": ("a  \nb\t\n \n", "\n", "  \n \t\n"),
    "a NUL": ("a text\0b\n\n", "\n", "\n\0"),
    "a list": ("1. x\n\n", "\n", "\n2. y\n"),
    "a region that stays broken": ("<details>\n", "\n", "\n</details>\n"),
}


@pytest.mark.parametrize("form", ["html", "link"])
@pytest.mark.parametrize("case", AROUND)
def test_every_byte_outside_of_a_region_stays(
    case: str, form: str, folder: pathlib.Path
) -> None:
    """The region's lines end like that of its begin; a second run writes nothing."""
    before, nl, after = AROUND[case]
    begin, end = BEGIN, END
    if form == "link":
        if case in (
            "a region that stays broken",
            "a byte-order mark before the marker",
        ):
            return  # Markdown sees no marker of this form there
        begin = "[//]: # (errspec:begin list group=orders)"
        end = "[//]: # (errspec:end)"
    head, tail = f"{before}{begin}{nl}", f"{end}{after}"
    wanted = nl + BODY.replace("\n", nl) + nl
    assert filled(head + tail) == head + wanted + tail
    path = folder / "page.md"
    stamp = path.stat().st_mtime_ns, path.stat().st_ino
    assert output.apply(planned("page.md")) == ()
    assert (path.stat().st_mtime_ns, path.stat().st_ino) == stamp


INDENTED = {
    "three spaces": ("   ", ""),
    "in a list": ("  ", "- a\n\n"),
    "in a list of a list": ("     ", "1. a\n   - b\n\n"),
    "in a quote": ("> ", "> a\n>\n"),
    "in a list of a quote": (">   ", "> - a\n>\n"),
}


@pytest.mark.parametrize("case", INDENTED)
def test_what_stands_deeper_is_filled_as_deep(case: str, folder: pathlib.Path) -> None:
    """The lines of a region stand below its markers, and belong to the same block."""
    indent, before = INDENTED[case]
    text = f"{before}{indent}{BEGIN}\n{indent}{END}\n"
    blank = indent.rstrip()
    found = filled(text)
    assert found == (
        f"{before}{indent}{BEGIN}\n{blank}\n{indent}{BODY}{blank}\n{indent}{END}\n"
    )
    [top, *_] = MarkdownIt("commonmark").parse(found)
    inside = [
        t.level for t in MarkdownIt("commonmark").parse(found) if "GONE" in t.content
    ]
    assert len(inside) == 1 and (not before or inside[0] > 3), top


IGNORED = {
    "a fence": "```\n{}\n```",
    "a fence with an info string": '```md title="x" {{1}}\n{}\n```',
    "a fence of tildes": "~~~ html\n{}\n~~~",
    "a long fence around a short one": "````\n```\n{}\n```\n````",
    "a fence that tildes do not end": "```\n~~~\n{}\n```",
    "an indented fence": "   ```\n   {}\n   ```",
    "a fence in a list": "- x\n\n  ```\n  {}\n  ```",
    "a fence in a quote": "> ```\n> {}\n> ```",
    "a fence without end in a quote": "> ```\n> {}\n",
    "indented code": "x\n\n    {}",
    "code by a tab": "x\n\n\t{}",
    "code in a line": "Write `{}` here.",
    "code in a line of its own": "`{}`",
    "code between two backticks": "Write `` {} ` `` here.",
    "code in a heading": "# Of `{}`",
    "code in a cell": "| a |\n| --- |\n| `{}` |",
    "code over lines": "Write `x\ny {} z` here.",
    "what is preformatted": "<pre>\n{}\n\n{}\n</pre>",
    "an escaped mark": "\\{}",
}
MARKS = {
    "begin": "<!-- errspec:begin table -->",
    "end": "<!-- errspec:end -->",
    "nothing": "<!-- errspec:beginn x -->",
}


@pytest.mark.parametrize("mark", MARKS)
@pytest.mark.parametrize("case", IGNORED)
def test_a_marker_that_is_shown_as_code_is_left_alone(
    case: str, mark: str, folder: pathlib.Path
) -> None:
    """It is documentation, however the code is written."""
    text = IGNORED[case].format(MARKS[mark], MARKS[mark])
    before, after = f"{text}\n\n{BEGIN}\n", f"{END}\n\n{text}"
    assert filled(before + after) == f"{before}\n{BODY}\n{after}"


def test_what_an_unclosed_fence_holds_is_code(folder: pathlib.Path) -> None:
    """It goes to the end of the page, and so there is no region."""
    with pytest.raises(Findings, match="this is shown as code"):
        filled(f"```\n{BEGIN}\n{END}\n")


def test_prose_may_speak_of_errspec(folder: pathlib.Path) -> None:
    """Only what wants to be a marker has to be one."""
    said = (
        "errspec:begin is a word.\n<!-- errspec writes the table -->\n[//]: # (x)\n\n"
    )
    assert filled(f"{said}{BEGIN}\n{END}\n").startswith(said)


def test_a_region_may_hold_text_about_markers(
    folder: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A catalogue that says what a marker looks like ends no region."""
    meaning = "Ends with <!-- errspec:end --> or [//]: # (errspec:end)."
    text = SPEC.replace("Nothing is left.", f"'{meaning}'")
    (folder / "shop.yaml").write_text(text, encoding="utf-8")
    first = filled(f"{BEGIN}\n{END}\n")
    assert "Ends with" in first and filled(first) == first


texts = st.text(
    st.characters(exclude_categories=["Cs"]) | st.sampled_from("\r\n\t \f<!->`~[]/#()"),
    max_size=40,
)
lines = st.lists(
    texts | st.sampled_from(["```", "~~~", "---", "> x", "- x", "    x", "<!-- x -->"]),
    max_size=6,
).map("\n".join)


@settings(derandomize=True, max_examples=60, deadline=None)
@given(before=lines, between=lines, after=lines, nl=st.sampled_from(["\n", "\r\n"]))
def test_whatever_stands_around_regions_stays(
    tmp_path_factory: pytest.TempPathFactory,
    before: str,
    between: str,
    after: str,
    nl: str,
) -> None:
    """Of any page either nothing changes, and it is told why, or only its regions do;
    and doing it twice is doing it once."""
    with pytest.MonkeyPatch.context() as patch:
        project_in(tmp_path_factory.mktemp("p"), patch)
        parts = [f"{before}{nl}{nl}", f"{nl}{between}{nl}{nl}", f"{nl}{after}"]
        empty = f"{BEGIN}{nl}{END}"
        full = f"{BEGIN}{nl}{nl}{BODY.replace(chr(10), nl)}{nl}{END}"
        text = empty.join(parts)
        try:
            once = filled(text)
        except Findings:
            event("told")
            assert pathlib.Path("page.md").read_bytes() == text.encode()
            return
        assert full in once
        assert once.replace(full, empty) == text
        assert filled(once) == once


# ------------------------------------------------------------------- what is told of it

LINK = "[//]: # (errspec:begin table)"
FAULTS: dict[str, tuple[str, list[str]]] = {
    # the page; line, column, id and mend of all that is told
    "begin without end": (
        f"x\n\n{BEGIN}\n",
        ["3:1 unpaired-marker end it with <!-- errspec:end -->"],
    ),
    "end without begin": (
        f"{END}\n",
        ["1:1 unpaired-marker put <!-- errspec:begin … --> before it"],
    ),
    "two ends": (
        f"{BEGIN}\n{END}\n{END}\n",
        ["3:1 unpaired-marker put <!-- errspec:begin … --> before it"],
    ),
    "a region in a region": (
        f"{BEGIN}\n{BEGIN}\n{END}\n{END}\n",
        ["2:1 nested-region end the other one first"],
    ),
    "a second begin in place of an end": (
        f"{BEGIN}\n{BEGIN}\n{END}\n",
        ["2:1 nested-region end the other one first"],
    ),
    "an end of the other form": (
        f"{BEGIN}\n\n[//]: # (errspec:end)\n",
        ["3:1 unpaired-marker <!-- errspec:end -->"],
    ),
    "an end that stands elsewhere": (
        f"- x\n\n  {BEGIN}\n\n{END}\n",
        ["5:1 unpaired-marker put the same before both markers of a region"],
    ),
    "a misspelt begin": (
        f"<!-- errspec:beginn table -->\n{END}\n",
        ["1:1 wrong-marker did you mean begin?"],
    ),
    "a misspelt end": (
        f"{BEGIN}\n<!-- errspec:ende -->\n",
        ["2:1 wrong-marker did you mean end?"],
    ),
    "a space behind the colon": (
        f"<!-- errspec: begin table -->\n{END}\n",
        ["1:1 wrong-marker begin or end, without a space before it"],
    ),
    "no colon": (
        f"<!-- errspec begin table -->\n{END}\n",
        [
            "1:1 wrong-marker <!-- errspec:begin … --> or [//]: # (errspec:begin …)",
        ],
    ),
    "another case": (
        f"<!-- ErrSpec:Begin table -->\n{END}\n",
        [
            "1:1 wrong-marker <!-- errspec:begin … --> or [//]: # (errspec:begin …)",
        ],
    ),
    "quotes in place of brackets": (
        '[//]: # "errspec:begin table"\n\n[//]: # "errspec:end"\n',
        [
            "1:1 wrong-marker <!-- errspec:begin … --> or [//]: # (errspec:begin …)",
        ],
    ),
    "text before a marker": (
        f"See {BEGIN}\n{END}\n",
        [
            "1:5 wrong-marker <!-- errspec:begin … --> or [//]: # (errspec:begin …)",
        ],
    ),
    "a marker behind a bullet": (
        f"- {BEGIN}\n- {END}\n",
        [
            "1:3 wrong-marker <!-- errspec:begin … --> or [//]: # (errspec:begin …)",
        ],
    ),
    "a comment with another dash": (
        "<!--- errspec:begin list --->\n<!--- errspec:end --->\n",
        ["1:1 wrong-marker <!-- errspec:begin … --> or [//]: # (errspec:begin …)"],
    ),
    "a definition with another label": (
        f"[comment]: # (errspec:begin list)\n\n[comment]: # (errspec:end)\n\n{BEGIN}\n{END}\n",
        ["1:1 wrong-marker <!-- errspec:begin … --> or [//]: # (errspec:begin …)"],
    ),
    "a comment of JSX": (
        "{/* errspec:begin list */}\n",
        ["1:1 wrong-marker <!-- errspec:begin … --> or [//]: # (errspec:begin …)"],
    ),
    "two markers in a line": (
        f"{BEGIN}{END}\n",
        ["1:1 wrong-marker <!-- errspec:begin … --> or [//]: # (errspec:begin …)"],
    ),
    "a value that ends the comment": (
        f'<!-- errspec:begin list raised-by="a-->b" -->\n{END}\n',
        ["1:1 wrong-marker <!-- errspec:begin … --> or [//]: # (errspec:begin …)"],
    ),
    "front matter of YAML": (
        f"---\nx: |\n  {BEGIN}\n[//]: # (errspec:begin list)\n...\n\n{BEGIN}\n{END}\n",
        ["3:3 wrong-marker put it below that", "4:1 wrong-marker put it below that"],
    ),
    "front matter of TOML": (
        f"+++\n# {BEGIN}\n...\n[//]: # (errspec:end)\n+++\n\n{BEGIN}\n{END}\n",
        ["2:3 wrong-marker put it below that", "4:1 wrong-marker put it below that"],
    ),
    "nothing but code": (
        f"!!! note\n\n    {BEGIN}\n    {END}\n",
        ["3:5 no-region put it outside of fences, indentation and backticks"],
    ),
    "a value twice": (
        f"<!-- errspec:begin table columns=code,meaning,code -->\n{END}\n",
        ["1:26 repeated-value None"],
    ),
    "a marker over two lines": (
        f"<!-- errspec:begin\ntable -->\n{END}\n",
        [
            "1:1 wrong-marker <!-- errspec:begin … --> or [//]: # (errspec:begin …)",
        ],
    ),
    "a marker that is text": (
        f"x\n{LINK}\n[//]: # (errspec:end)\n",
        ["2:1 wrong-marker put a blank line before it"],
    ),
    "an end with more": (
        f"{BEGIN}\n<!-- errspec:end list -->\n",
        ["2:1 wrong-marker <!-- errspec:end -->"],
    ),
    "a bracket that ends a marker": (
        "[//]: # (errspec:begin list raised-by=f(x))\n\n[//]: # (errspec:end)\n",
        ["1:1 wrong-marker put a backslash before each bracket"],
    ),
    "no kind": (
        f"<!-- errspec:begin -->\n{END}\n",
        ["1:1 wrong-marker begin with table, list, entry, catalogues, packs or rules"],
    ),
    "an argument in place of the kind": (
        f"<!-- errspec:begin group=orders -->\n{END}\n",
        ["1:1 wrong-marker begin with table, list, entry, catalogues, packs or rules"],
    ),
    "an unknown kind": (
        f"<!-- errspec:begin tabel -->\n{END}\n",
        ["1:20 unknown-region did you mean table?"],
    ),
    "an unknown argument": (
        f"<!-- errspec:begin table gruop=orders -->\n{END}\n",
        ["1:26 unknown-argument did you mean group?"],
    ),
    "an argument of another kind": (
        f"<!-- errspec:begin rules group=orders -->\n{END}\n",
        ["1:26 unknown-argument rules takes none"],
    ),
    "an argument twice": (
        f"<!-- errspec:begin table group=orders group=payment -->\n{END}\n",
        ["1:39 repeated-argument values: a,b"],
    ),
    "an argument without a value": (
        f"<!-- errspec:begin table group= language -->\n{END}\n",
        ["1:26 empty-value group=…", "1:33 empty-value language=…"],
    ),
    "a quote without end": (
        f'<!-- errspec:begin table group="orders -->\n{END}\n',
        ['1:26 wrong-marker name=value or name="…"'],
    ),
    "an unknown group, verdict, language and column": (
        "<!-- errspec:begin table group=order -->\n<!-- errspec:end -->\n"
        "<!-- errspec:begin table retryable=soon -->\n<!-- errspec:end -->\n"
        "<!-- errspec:begin table language=pyton -->\n<!-- errspec:end -->\n"
        "<!-- errspec:begin table columns=code,meening -->\n<!-- errspec:end -->\n"
        "<!-- errspec:begin table retired=true -->\n<!-- errspec:end -->\n"
        "<!-- errspec:begin table catalogue=sho -->\n<!-- errspec:end -->\n",
        [
            "1:26 wrong-value did you mean orders?",
            "3:26 wrong-value there is depends, false, no, true, unset and yes",
            "5:26 wrong-value did you mean python?",
            "7:26 wrong-value did you mean meaning?",
            "9:26 wrong-value None",
            "11:26 unknown-catalogue did you mean shop?",
        ],
    ),
    "an entry without a code": (
        f"<!-- errspec:begin entry -->\n{END}\n",
        ["1:20 wrong-marker entry CODE"],
    ),
    "an entry of an unknown code": (
        f"<!-- errspec:begin entry GON -->\n{END}\n",
        ["1:26 unknown-code did you mean GONE?"],
    ),
    "an entry of an internal code": (
        f"<!-- errspec:begin entry INNER -->\n{END}\n",
        ["1:26 internal-code None"],
    ),
    "an entry of two codes": (
        f"<!-- errspec:begin entry GONE BANK -->\n{END}\n",
        ["1:31 unknown-argument entry takes catalogue"],
    ),
    "no region at all": (
        "Hi.\n",
        ["1:1 no-region <!-- errspec:begin table --> and <!-- errspec:end -->"],
    ),
    "several at once, below a byte-order mark": (
        f"\ufeff{END}\n{BEGIN}\n{END}\n<!-- errspec:begin lst -->\n{END}\n",
        [
            "1:1 unpaired-marker put <!-- errspec:begin … --> before it",
            "4:20 unknown-region did you mean list?",
        ],
    ),
}


def told(error: Findings) -> Iterator[str]:
    documents = {document.name: document for document in error.documents}
    for one in error.diagnostics:
        place = documents[one.file].place(one)
        yield f"{place.line}:{place.column} {one.id} {one.mend}"


@pytest.mark.parametrize("nl", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize("case", FAULTS)
def test_what_is_wrong_with_a_marker_is_told_at_its_place(
    case: str, nl: str, folder: pathlib.Path
) -> None:
    """Each fault once, with what mends it, and nothing is written."""
    text, expected = FAULTS[case]
    with pytest.raises(Findings) as caught:
        filled(text.replace("\n", nl))
    assert caught.value.exit_code == 1
    assert [*told(caught.value)] == expected
    assert pathlib.Path("page.md").read_bytes().decode() == text.replace("\n", nl)


@pytest.mark.parametrize("name", ["page.mdx", "PAGE.MDX"])
def test_a_comment_in_mdx_is_told_the_form_that_works(
    name: str, folder: pathlib.Path
) -> None:
    """MDX does not compile with a comment of HTML; in code it may stand."""
    with pytest.raises(Findings) as caught:
        filled(f"`{BEGIN}`\n\n{BEGIN}\n{END}\n\n{{/* errspec:begin list */}}\n", name)
    assert [*told(caught.value)] == [
        "3:1 wrong-marker [//]: # (errspec:begin list group=orders)",
        "4:1 wrong-marker [//]: # (errspec:end)",
        "6:1 wrong-marker [//]: # (errspec:begin …)",
    ]


@pytest.mark.parametrize(
    ("indent", "before", "after"),
    [("    ", "<Tabs>\n\n", "\n</Tabs>\n"), ("", "<pre>\n\n", "\n</pre>\n")],
    ids=["indented", "in a tag"],
)
def test_mdx_has_regions_where_markdown_has_code_or_tags(
    indent: str, before: str, after: str, folder: pathlib.Path
) -> None:
    """There, what is indented is no code, and what stands in a tag is Markdown."""
    begin = f"{indent}[//]: # (errspec:begin list group=orders)\n"
    end = f"{indent}[//]: # (errspec:end)\n"
    found = filled(before + begin + end + after, "page.mdx")
    assert found == f"{before}{begin}\n{indent}{BODY}\n{end}{after}"


UNREADABLE: dict[str, tuple[Callable[[pathlib.Path], Any], str]] = {
    "missing": (lambda path: None, "there is no such file"),
    "a folder": (lambda path: path.mkdir(), "a folder stands where the file should be"),
    "a pipe": (os.mkfifo, "a special file stands where the file should be"),
    "Latin-1": (lambda path: path.write_bytes(b"caf\xe9\n"), "not UTF-8 (byte 0xe9"),
    "UTF-16": (
        lambda path: path.write_bytes("hi".encode("utf-16")),
        "not UTF-8 (byte 0xff",
    ),
    "a link that leads outside": (
        lambda path: path.symlink_to("/etc/hostname"),
        "lies outside of the project's folder",
    ),
    "a link to nothing": (lambda p: p.symlink_to("nope.md"), "there is no such file"),
    "a catalogue": (lambda p: p.symlink_to("shop.yaml"), "errspec reads this file"),
    "the project": (lambda p: p.symlink_to("errspec.yaml"), "errspec reads this file"),
}


@pytest.mark.parametrize("listed", [False, True], ids=["named", "listed"])
@pytest.mark.parametrize("case", UNREADABLE)
def test_a_page_that_cannot_be_read_is_told(
    case: str, listed: bool, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the page's name, or at its place in errspec.yaml: the job was not done."""
    project_in(tmp_path, monkeypatch, "inject: [page.md]\n" * listed)
    make, message = UNREADABLE[case]
    make(tmp_path / "page.md")
    done = errspec("inject", *([] if listed else ["page.md"]))
    assert done.returncode == 2
    assert message in done.stderr, done.stderr
    assert ("errspec.yaml:3:10: error" if listed else "page.md: error") in done.stderr


def test_all_that_is_wrong_in_all_pages_is_told_in_one_run(
    folder: pathlib.Path,
) -> None:
    """One page that cannot be read hides nothing of the others."""
    write("a.md", f"{BEGIN}\n")
    write("c.md", f"{BEGIN}\n{END}\n")
    write("d.md", END)
    with pytest.raises(Unreadable) as caught:
        planned("a.md", "b.md", "c.md", "d.md")
    assert [(d.file, d.id) for d in caught.value.diagnostics] == [
        ("a.md", "unpaired-marker"),
        ("b.md", "no-file"),
        ("d.md", "unpaired-marker"),
    ]


# ------------------------------------------------------------------------ whose is it?

OLD = SPEC.replace("Nothing is left.", "It was sold.")
OLD_BODY = BODY.replace("Nothing is left.", "It was sold.")
CONFLICT = f"<<<<<<< HEAD\n{OLD_BODY}=======\nb\n>>>>>>> branch\n"
OWNED: dict[str, tuple[str, bool, str]] = {
    # what stands in the region; whether the old text is listed; what it is told as
    "nothing": ("", False, "unfilled"),
    "blank lines": ("\n  \n\n", False, "unfilled"),
    "what is wanted": (f"\n{BODY}\n", False, "fine"),
    "what is wanted, without the blank lines": (BODY, False, "outdated"),
    "what is wanted, deeper": (f"\n  {BODY}\n", False, "edited"),
    "what is wanted, with other line ends": (
        f"\n{BODY}\n".replace("\n", "\r\n"),
        False,
        "mixed-endings",
    ),
    "what it was": (f"\n{OLD_BODY}\n", True, "outdated"),
    "what it was, without the blank lines": (OLD_BODY, True, "outdated"),
    "what it was, nothing listed": (f"\n{OLD_BODY}\n", False, "edited"),
    "an edit": (f"\n{BODY}More.\n\n", True, "edited"),
    "a formatter's work": (f"\n{BODY.replace('- ', '-   ')}\n", True, "edited"),
    "a merge": (f"\n{CONFLICT}\n", True, "conflicted"),
}


@pytest.mark.parametrize("case", OWNED)
def test_a_region_is_ours_if_it_is_as_we_wrote_it(
    case: str, folder: pathlib.Path
) -> None:
    """What people wrote there is refused with nothing written, unless forced."""
    body, listed, state = OWNED[case]
    if listed:
        (folder / "shop.yaml").write_text(OLD, encoding="utf-8")
        filled(f"{BEGIN}\n{END}\n")
        (folder / "shop.yaml").write_text(SPEC, encoding="utf-8")
    text = f"a\n\n{BEGIN}\n{body}{END}\nb\n"
    path = write("page.md", text)
    other = write("other.md", f"{BEGIN}\n{END}\n")
    judged = planned("other.md", "page.md")
    changes = {change.shown.name: change for change in judged.changes}
    assert changes["page.md"].state == state
    if state == "edited":
        with pytest.raises(output.EditedError, match="or out of the regions"):
            output.apply(judged)
        assert path.read_bytes() == text.encode()
        assert other.read_text("utf-8") == f"{BEGIN}\n{END}\n"
    output.apply(judged, force=True)
    assert path.read_text("utf-8") == f"a\n\n{BEGIN}\n\n{BODY}\n{END}\nb\n"
    assert planned("other.md", "page.md").drift == ()


def test_a_page_that_moved_is_as_errspec_wrote_it(folder: pathlib.Path) -> None:
    """Also where the catalogue has changed since: nobody edited it."""
    (folder / "shop.yaml").write_text(OLD, encoding="utf-8")
    filled(f"{BEGIN}\n{END}\n")
    (folder / "shop.yaml").write_text(SPEC, encoding="utf-8")
    write("docs/other.md", (folder / "page.md").read_bytes())
    (folder / "page.md").unlink()
    assert [c.state for c in planned("docs/other.md").changes] == ["outdated"]


def test_a_page_is_told_as_the_worst_of_its_regions(folder: pathlib.Path) -> None:
    """One that was edited keeps the others from being written."""
    write("page.md", f"{BEGIN}\n{END}\n\n{BEGIN}\nmine\n{END}\n")
    assert [c.state for c in planned("page.md").changes] == ["edited"]


def test_the_manifest_remembers_each_region_of_a_page(folder: pathlib.Path) -> None:
    """By the page's path from the output folder; a page that is gone is forgotten."""
    filled(f"{BEGIN}\n{END}\n<!-- errspec:begin entry GONE -->\n{END}\n")
    record = folder / OUT / "MANIFEST"
    names = [line.split("  ")[1] for line in record.read_text("utf-8").splitlines()]
    assert names == ["../page.md"] * 2
    assert errspec("generate").returncode == 0
    assert "../page.md" in record.read_text("utf-8")
    (folder / "page.md").unlink()
    assert errspec("generate").returncode == 0
    assert "page.md" not in record.read_text("utf-8")


def test_no_line_of_a_manifest_makes_a_page_ours_to_delete(
    folder: pathlib.Path,
) -> None:
    """However it is listed, a page that people wrote stays."""
    path = write("page.md", "mine\n")
    record = write(f"{OUT}/MANIFEST", f"{manifest.digest(b'mine')}  ../page.md\n")
    assert errspec("generate").returncode == 0
    assert path.read_text("utf-8") == "mine\n"
    assert "../page.md" in record.read_text("utf-8")


def test_the_mode_of_a_page_and_a_link_to_it_are_kept(folder: pathlib.Path) -> None:
    """The file that the link leads to is written, as it was allowed to be used."""
    real = write("docs/real.md", f"{BEGIN}\n{END}\n")
    real.chmod(0o640)
    pathlib.Path("page.md").symlink_to("docs/real.md")
    output.apply(planned("page.md"))
    assert pathlib.Path("page.md").is_symlink()
    assert BODY in real.read_text("utf-8")
    assert real.stat().st_mode & 0o777 == 0o640
    with pytest.raises(OutputError, match="one file, through a link"):
        planned("page.md", "docs/real.md")


def test_a_page_that_is_saved_meanwhile_is_not_overwritten(
    folder: pathlib.Path,
) -> None:
    """Nobody loses what an editor wrote between reading and writing."""
    path = write("page.md", f"{BEGIN}\n{END}\n")
    judged = planned("page.md")
    path.write_text(f"more\n\n{BEGIN}\n{END}\n", encoding="utf-8")
    with pytest.raises(OutputError, match="changed while errspec worked"):
        output.apply(judged)
    assert path.read_text("utf-8") == f"more\n\n{BEGIN}\n{END}\n"


@pytest.mark.parametrize("moment", range(4))
def test_a_run_that_is_stopped_leaves_pages_that_the_next_one_knows(
    moment: int, folder: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At whatever file it stops, none of what it wrote counts as edited."""
    (folder / "shop.yaml").write_text(OLD, encoding="utf-8")
    for name in ("a.md", "b.md"):
        filled(f"{BEGIN}\n{END}\n", name)
    (folder / "shop.yaml").write_text(SPEC, encoding="utf-8")
    judged = planned("a.md", "b.md")
    put, count = disk.put, iter(range(9))

    def stopping(shown: pathlib.Path, file: pathlib.Path, data: bytes) -> None:
        if next(count) == moment:
            raise KeyboardInterrupt
        put(shown, file, data)

    monkeypatch.setattr(disk, "put", stopping)
    with pytest.raises(KeyboardInterrupt):
        output.apply(judged)
    monkeypatch.setattr(disk, "put", put)
    output.apply(planned("a.md", "b.md"))
    assert planned("a.md", "b.md").drift == ()
    assert all(BODY in pathlib.Path(n).read_text("utf-8") for n in ("a.md", "b.md"))


@pytest.mark.parametrize(
    "name",
    [
        f"{OUT}/markdown/shop/errors.md",
        f"{OUT}/markdown/shop/more.md",
        f"{OUT}/MANIFEST",
    ],
)
def test_what_errspec_owns_has_no_regions(
    name: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that a pack writes, or that stands among them, is no page of people's."""
    project_in(tmp_path, monkeypatch, f"inject: [{name}]\n")
    write(name, f"{BEGIN}\n{END}\n")
    done = errspec("generate", "--force")
    assert done.returncode == 2
    assert "errspec owns all of this file" in done.stderr, done.stderr


def test_a_page_may_stand_where_the_output_folder_is_the_project(
    folder: pathlib.Path,
) -> None:
    """A page is never a left-over file, wherever it stands."""
    config = pathlib.Path("errspec.yaml").read_text("utf-8")
    write("errspec.yaml", f"{config}out: .\ninject: [page.md]\n")
    path = write("page.md", f"{BEGIN}\n{END}\n")
    for command in ("generate", "generate", "check"):
        assert errspec(command).returncode == 0
    assert BODY in path.read_text("utf-8")
    write("errspec.yaml", f"{config}out: .\n")
    assert errspec("generate").returncode == 0
    assert BODY in path.read_text("utf-8")


# --------------------------------------------------------------- what stands in a region


def html(text: str) -> str:
    return str(MarkdownIt("gfm-like").render(text))


def test_regions_show_what_they_are_asked_for(folder: pathlib.Path) -> None:
    """The kinds, the filters, and the columns; retired codes only where they are wanted."""
    rows = {
        "table columns=code,http": (
            "| Code | HTTP |\n| --- | --- |\n"
            '| <a id="GONE"></a>`GONE` |  |\n'
            '| <a id="BANK"></a><a id="BANK_NO"></a>`BANK`'
            "<br/>TypeScript: spelt `BANK_NO` |  |\n"
        ),
        "table group=payment columns=meaning": (
            "| Meaning |\n| --- |\n| The bank said no. |\n"
        ),
        "list group=orders,payment": f"{BODY}- `BANK`: The bank said no.\n",
        "list retryable=yes": "- `BANK`: The bank said no.\n",
        "list language=python retryable=no,unset": BODY,
        'list group="orders" retired=yes': (
            f"{BODY}- `OLD`: Not any more. Retired since 0.9.0. nobody\n"
        ),
        "list raised-by=nobody": "No code is like that.\n",
        "table retryable=unset": "No code is like that.\n",
        "entry BANK_NO catalogue=shop": (
            '<a id="BANK"></a><a id="BANK_NO"></a>**`BANK`** · Payment\n\n'
            "The bank said no.\n\n"
            "- **Retryable**: yes\n"
            "- **Class**: `BankError`\n"
            "- **TypeScript**: spelt `BANK_NO` (an older name)\n"
        ),
        "catalogues": (
            "| Catalogue | Version | Codes | Languages | Packs |\n"
            "| --- | --- | --- | --- | --- |\n"
            "| Shop errors (`shop`) | 1.0.0 | 2 | Python, TypeScript | `markdown` |\n"
        ),
    }
    for words, body in rows.items():
        found = filled(f"<!-- errspec:begin {words} -->\n{END}\n")
        assert found == f"<!-- errspec:begin {words} -->\n\n{body}\n{END}\n", words


def test_an_entry_tells_all_that_is_said_of_a_code(folder: pathlib.Path) -> None:
    """Also what few codes have."""
    rest = "wire: 17, aliases: [AWAY], since: 0.3.0, message: 'No {{x}} (y)', "
    rest += "http: 410, links: ['https://x.y/a_(b)', 'https://x.y/z']"
    text = SPEC.replace("retryable: false}", f"retryable: false, {rest}}}", 1)
    (folder / "shop.yaml").write_text(text, encoding="utf-8")
    found = html(filled(f"<!-- errspec:begin entry 17 -->\n{END}\n"))
    assert re.findall(r"<li>(.*)</li>", found) == [
        "<strong>Retryable</strong>: no",
        "<strong>HTTP</strong>: 410",
        "<strong>Message</strong>: No {x} (y)",
        "<strong>Class</strong>: <code>GoneError</code>",
        "<strong>On the wire</strong>: <code>17</code>",
        "<strong>Also read as</strong>: <code>AWAY</code>",
        "<strong>Since</strong>: 0.3.0",
        '<strong>See</strong>: <a href="https://x.y/a_%28b%29">https://x.y/a_(b)</a>, '
        '<a href="https://x.y/z">https://x.y/z</a>',
    ]


def test_rules_are_shown_as_the_project_sets_them(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And packs with their options, those of the project among them."""
    project_in(tmp_path, monkeypatch, "rules: {no-group: off}\ntemplates: [packs]\n")
    write(
        "packs/mine/pack.yaml",
        "pack: 1\nmeaning: Mine | yours.\nfiles: [{to: a, text: x}]\n",
    )
    found = filled(f"<!-- errspec:begin rules -->\n{END}\n")
    assert re.search(r"^\| `no-group` \| [^|]+ \| off \|$", found, re.MULTILINE)
    found = filled(f"<!-- errspec:begin packs -->\n{END}\n")
    assert "| `mine` | Mine \\| yours. |  |\n" in found


def test_a_code_has_its_anchors_once_in_a_page(folder: pathlib.Path) -> None:
    """In the first table or entry that shows it; a list points at them."""
    kinds = ["list", "table group=payment", "entry BANK", "table"]
    found = filled("".join(f"<!-- errspec:begin {k} -->\n{END}\n" for k in kinds))
    assert re.findall('id="(.*?)"', found) == ["BANK", "BANK_NO", "GONE"]


def test_a_code_is_linked_to_its_page(folder: pathlib.Path) -> None:
    """Where the catalogue says where its docs are."""
    text = SPEC.replace(
        "\ngroups", "\ndocs_url: 'https://x.y/a_(b)?c|#{anchor}'\ngroups"
    )
    (folder / "shop.yaml").write_text(text, encoding="utf-8")
    for kind in ("list group=payment", "table group=payment", "entry BANK"):
        found = html(filled(f"<!-- errspec:begin {kind} -->\n{END}\n"))
        assert (
            '<a href="https://x.y/a_%28b%29?c%7C#BANK"><code>BANK</code></a>' in found
        )


def test_one_of_several_catalogues_is_named(folder: pathlib.Path) -> None:
    """A code is found in the one that has it."""
    config = "errspec: 1\ncatalogues: [{spec: shop.yaml}, {spec: bar.yaml}]\n"
    write("errspec.yaml", config)
    other = SPEC.replace("id: shop", "id: bar").replace("ShopError", "BarError")
    write("bar.yaml", other.replace("GONE", "DRUNK"))
    assert BODY in filled(f"{BEGIN[:-4]} catalogue=shop -->\n{END}\n")
    assert "`DRUNK`" in filled(f"<!-- errspec:begin entry DRUNK -->\n{END}\n")
    for words, mend in (
        ("table", "1:1 several-catalogues catalogue=shop or bar"),
        ("entry BANK", "1:26 several-catalogues catalogue=shop or bar"),
    ):
        with pytest.raises(Findings) as caught:
            filled(f"<!-- errspec:begin {words} -->\n{END}\n")
        assert [*told(caught.value)] == [mend]


KINDS = (
    *("table", "list", "entry FULL", "entry AWAY", "entry PICK_A", "catalogues"),
    "table columns=raised_by,note,notes,classes,http,code retired=yes",
    "list retired=yes",
)


def hostile_page(say: Callable[[str], str], name: str = "page.md") -> str:
    """Return a page with regions of a catalogue that has these texts."""
    text = yaml.safe_dump(catalogue(say), sort_keys=False, width=10**9)
    write("shop.yaml", text)
    regions = (f"[//]: # (errspec:begin {k})\n[//]: # (errspec:end)\n\n" for k in KINDS)
    return filled("".join(regions), name)


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The page of a catalogue whose texts are their own names."""
    with pytest.MonkeyPatch.context() as patch:
        project_in(tmp_path_factory.mktemp("plain"), patch)
        return hostile_page(lambda name: f"«{name}»")


@pytest.mark.parametrize("case", [c for c, text in HOSTILE.items() if len(text) < 2000])
def test_a_region_keeps_its_shape_and_shows_the_text(
    case: str, plain: str, folder: pathlib.Path
) -> None:
    """No text ends a region, begins a block, parts a row, or becomes a tag or a link."""
    texts, say = spoken(HOSTILE[case])
    parser = MarkdownIt("gfm-like")
    before, after = parser.parse(plain), parser.parse(hostile_page(say))
    for one, other in zip(before, after, strict=True):
        assert (one.type, one.tag) == (other.type, other.tag)
        (kinds, text), (others, seen) = read(one), read(other)
        assert kinds == others
        assert seen == on_page(SLOT.sub(lambda slot: texts[slot[1]], text))


def test_a_page_with_regions_compiles_as_mdx(
    folder: pathlib.Path, node_tools: pathlib.Path
) -> None:
    """Whatever the catalogue says; and the tables are tables there."""
    pages = [hostile_page(lambda name: f"«{name}»", "page.mdx")]
    pages += [
        hostile_page(spoken(text)[1], "page.mdx")
        for text in HOSTILE.values()
        if len(text) < 2000
    ]
    (folder / "node_modules").symlink_to(node_tools)
    write("pages.json", json.dumps(pages))
    write("mdx.mjs", MDX)
    found = run(need("node"), "mdx.mjs", cwd=folder)
    assert found.returncode == 0, found.stderr
    assert json.loads(found.stdout) == [
        f"mdxJsxTextElement {tag}" for tag in ("a", "br", "code")
    ]


# ------------------------------------------------------------------- generate and check


@pytest.fixture
def listed(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    """A project that lists a page, as generate leaves it."""
    folder = project_in(tmp_path, monkeypatch, "inject: [docs/page.md]\n")
    write("docs/page.md", f"# Hi\n\n{BEGIN}\n{END}\n")
    assert errspec("generate").stdout.startswith("wrote docs/page.md\n")
    return folder


def test_check_tells_a_page_with_its_lines_and_where_they_come_from(
    listed: pathlib.Path,
) -> None:
    """Like any file that is generated, in every format."""
    assert errspec("check").returncode == 0
    text = SPEC.replace("Nothing is left.", "It was sold.")
    (listed / "shop.yaml").write_text(text, encoding="utf-8")
    done = errspec("check", "--format", "text", "--format", "json=found.json")
    assert done.returncode == 1
    line = 1 + text.split("\n").index(next(x for x in text.split("\n") if "GONE" in x))
    assert "docs/page.md: outdated: the spec moved\n" in done.stdout
    assert f"@@ -2,6 +2,6 @@  shop.yaml:{line}\n" in done.stdout
    assert "  -- `GONE`: Nothing is left.\n  +- `GONE`: It was sold.\n" in done.stdout
    findings = json.loads((listed / "found.json").read_text("utf-8"))["findings"]
    [page] = [found for found in findings if found["file"] == "docs/page.md"]
    assert (page["id"], page["line"]) == ("drift-outdated", 5)
    assert errspec("generate", "--dry-run").stdout.startswith(
        "would write docs/page.md"
    )
    assert errspec("generate").returncode == errspec("check").returncode == 0


@pytest.mark.parametrize(
    "arguments",
    [["shop.yaml"], ["--target", "markdown"], ["--out", "elsewhere"]],
    ids=["spec", "target", "out"],
)
def test_a_run_of_a_part_leaves_pages_alone(
    arguments: list[str], listed: pathlib.Path
) -> None:
    """They speak of all catalogues, and are remembered in the project's own folder."""
    page = write("docs/page.md", f"{BEGIN}\nmine\n{END}\n")
    for command in ("generate", "check"):
        done = errspec(command, *arguments)
        assert "page.md" not in done.stdout + done.stderr
    assert page.read_text("utf-8") == f"{BEGIN}\nmine\n{END}\n"
    assert "../docs/page.md" in (listed / OUT / "MANIFEST").read_text("utf-8")


def test_an_edit_in_a_region_stops_generate_and_is_told_by_check(
    listed: pathlib.Path,
) -> None:
    """Nothing is written until it is moved away, or forced."""
    page = listed / "docs/page.md"
    page.write_text(page.read_text("utf-8").replace("left", "right"), encoding="utf-8")
    done = errspec("check")
    assert done.returncode == 1
    assert "docs/page.md: edited by hand\n" in done.stdout
    assert "or out of the regions, then errspec generate --force" in done.stdout
    for command in ("generate", "inject"):
        done = errspec(command)
        assert done.returncode == 2 and "  docs/page.md\n" in done.stderr
    assert errspec("inject", "--force").stdout.startswith("overwrote docs/page.md\n")
    assert errspec("check").returncode == 0


def test_a_formatter_s_work_is_told_as_that(
    listed: pathlib.Path, node_tools: pathlib.Path
) -> None:
    """What prettier does to a table is no edit of its content."""
    table = "<!-- errspec:begin table -->"
    page = write("docs/page.md", f"{table}\n{END}\n")
    assert errspec("inject").returncode == 0
    before = page.read_text("utf-8")
    prettier = node_tools / "prettier/bin/prettier.cjs"
    run(need("node"), prettier, "--write", page)
    assert page.read_text("utf-8") != before
    done = errspec("check")
    assert "docs/page.md: edited by hand, only its formatting\n" in done.stdout
    assert "keep formatters off docs/page.md" in done.stdout


def test_inject_works_from_a_folder_below_and_on_pages_that_are_not_listed(
    listed: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Names are told as people see them from where they are."""
    write("docs/more.md", f"{BEGIN}\n{END}\n")
    monkeypatch.chdir(listed / "docs")
    done = errspec("inject", "more.md", "./more.md")
    assert done.stdout == "wrote more.md\n1 file changed, 0 already right\n"
    assert errspec("inject").stdout == "no files changed, 1 already right\n"


def test_a_page_is_no_place_for_a_report(listed: pathlib.Path) -> None:
    """A slip on the command line loses nobody's text."""
    before = (listed / "docs/page.md").read_bytes()
    assert errspec("check", "--format", "json=docs/page.md").returncode == 2
    assert (listed / "docs/page.md").read_bytes() == before


CONFIGS = {
    "inject: [../page.md]\n": "wrong-path",
    "inject: [/page.md]\n": "wrong-path",
    "inject: [a.md, ./a.md]\n": "repeated-value",
    "inject: a.md\n": "wrong-type",
}


@pytest.mark.parametrize("config", CONFIGS)
def test_a_list_of_pages_that_cannot_be_is_refused(
    config: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At its place in errspec.yaml."""
    project_in(tmp_path, monkeypatch, config)
    done = errspec("check")
    assert done.returncode != 0
    assert f"error[{CONFIGS[config]}]" in done.stderr


def test_without_a_page_inject_says_what_to_do(folder: pathlib.Path) -> None:
    """It does not succeed with nothing."""
    done = errspec("inject")
    assert done.returncode == 2
    assert "list pages under `inject` in errspec.yaml" in done.stderr


def test_a_pack_of_the_user_s_writes_regions_in_its_sandbox(
    folder: pathlib.Path,
) -> None:
    """It stands in for ours; a kind that it lacks, and a template, are told by place."""
    config = pathlib.Path("errspec.yaml").read_text("utf-8")
    write("errspec.yaml", f"{config}templates: [packs]\n")
    pack = "pack: 1\nmarkup: markdown\nfiles: [{to: a.md, text: x}]\n"
    write(
        "packs/markdown/pack.yaml", f"{pack}regions: {{list: list.j2, table: no.j2}}\n"
    )
    write("packs/markdown/list.j2", "{% for c in codes %}* {{ c.key }}\n{% endfor %}")
    assert "\n\n* GONE\n\n" in filled(f"{BEGIN}\n{END}\n")
    with pytest.raises(Findings) as caught:
        filled(f"<!-- errspec:begin entry GONE -->\n{END}\n")
    assert [*told(caught.value)] == ["1:1 unknown-region it writes list and table"]
    with pytest.raises(Findings, match=r"'no\.j2' is not there") as caught:
        filled(f"<!-- errspec:begin table -->\n{END}\n")
    assert caught.value.exit_code == 2
    write("packs/markdown/pack.yaml", pack)
    done = errspec("list", "--format", "markdown")
    assert done.returncode == 2
    assert done.stderr == "errspec: the pack markdown has no template for a table\n"
    write("packs/markdown/pack.yaml", f"{pack}regions: {{list: list.j2}}\n")
    write("packs/markdown/list.j2", "{{ codes.__class__ }}")
    with pytest.raises(Findings, match="__class__"):
        filled(f"{BEGIN}\n{END}\n")


@pytest.mark.parametrize("written", [END, BEGIN, f"x\n{BEGIN}\n{END}", "```", "<pre>"])
def test_what_a_pack_writes_must_leave_the_regions_where_they_are(
    written: str, folder: pathlib.Path
) -> None:
    """Else the next run would find other ones: it is told, and nothing is written."""
    config = pathlib.Path("errspec.yaml").read_text("utf-8")
    write("errspec.yaml", f"{config}templates: [packs]\n")
    write(
        "packs/markdown/pack.yaml",
        "pack: 1\nfiles: [{to: a.md, text: x}]\nregions: {list: list.j2}\n",
    )
    write("packs/markdown/list.j2", f"{written}\n")
    with pytest.raises(Findings) as caught:
        filled(f"{BEGIN}\n{END}\n\n{BEGIN}\n{END}\n")
    [found] = told(caught.value)
    assert found.startswith("1:1 lost-region does the pack markdown write")
    assert pathlib.Path("page.md").read_text("utf-8").count("\n") == 5


# ------------------------------------------------------------------------- what we say

GUIDE = ROOT / "docs" / "inject.md"


def blocks(path: pathlib.Path, info: str) -> list[str]:
    """Return what the fences of a page hold that say so of themselves."""
    tokens = MarkdownIt("gfm-like").parse(path.read_text(encoding="utf-8"))
    return [t.content for t in tokens if t.type == "fence" and t.info == info]


def test_the_guide_is_true(folder: pathlib.Path) -> None:
    """Its pages are filled, its finding is told so, and every kind and argument is in it."""
    project = folder / "shop"
    assert errspec("init", "shop", "--id", "shop").returncode == 0
    os.chdir(project)
    for page in blocks(GUIDE, "md"):
        found = filled(page, "docs/errors.md")
        assert found.count("\n\n") > page.count("\n\n")
        assert found.count("|") or found.count("`")
    [config] = blocks(GUIDE, "yaml")
    write("errspec.yaml", config)
    write("README.md", blocks(GUIDE, "md")[0])
    assert errspec("generate").returncode == errspec("check").returncode == 0
    edited, finding = blocks(GUIDE, "")
    file = pathlib.Path("docs/errors.md")
    file.write_text(file.read_text("utf-8").replace("yes", "no"), encoding="utf-8")
    assert errspec("generate").stderr == edited
    begin = finding.split("\n")[1].partition("| ")[2]
    write("docs/errors.md", f"# Hi\n\n{begin}\n{END}\n")
    assert errspec("inject", "docs/errors.md").stderr == f"{finding}1 error\n"
    said = GUIDE.read_text("utf-8")
    for kind, arguments in request.KINDS.items():
        assert re.search(rf"^\| `{kind}[` ]", said, re.MULTILINE)
        assert all(name in said for name in arguments)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("README.md", "packs"),
        (
            "README.md",
            "table catalogue=agent group=governance columns=code,meaning,retryable",
        ),
        ("CONTRIBUTING.md", "catalogues"),
        ("docs/catalogue.md", "packs"),
        ("docs/inject.md", "entry MODEL_ERROR catalogue=agent"),
        ("docs/rules.md", "rules"),
    ],
)
def test_check_guards_the_pages_of_this_repository(
    name: str, kind: str, tmp_path: pathlib.Path
) -> None:
    """They are what the catalogues say, and whoever changes a region is told."""
    for each in (
        "errspec.yaml",
        "spec",
        "generated",
        "README.md",
        "CONTRIBUTING.md",
        "docs",
    ):
        source = ROOT / each
        (shutil.copytree if source.is_dir() else shutil.copy2)(source, tmp_path / each)
    assert errspec("check", cwd=tmp_path).returncode == 0
    page = tmp_path / name
    text = page.read_text("utf-8")
    begin = f"\n<!-- errspec:begin {kind} -->\n\n"
    assert text.count(begin) == 1
    page.write_text(text.replace(begin, f"{begin}x"), encoding="utf-8")
    done = errspec("check", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stdout.startswith(f"{name}: edited by hand\n")
