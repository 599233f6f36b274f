"""`check` and `generate` over a project: what differs is told, and mended."""

from __future__ import annotations

import pathlib
import shutil

import pytest

from support import ROOT, errspec

PAGES = ("README.md", "CONTRIBUTING.md", "docs")

pytestmark = pytest.mark.usefixtures("project")


@pytest.fixture
def project(tmp_path: pathlib.Path) -> pathlib.Path:
    """A copy of this repository's catalogue and output, and of the pages it writes into."""
    for name in ("errspec.yaml", "spec", "generated", *PAGES):
        source = ROOT / name
        (shutil.copytree if source.is_dir() else shutil.copy2)(source, tmp_path / name)
    return tmp_path


def _edit(path: pathlib.Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def _line(path: pathlib.Path, start: str) -> int:
    lines = path.read_text(encoding="utf-8").split("\n")
    return next(n for n, line in enumerate(lines, 1) if line.startswith(start))


def test_the_committed_output_is_what_the_spec_says(project: pathlib.Path) -> None:
    """A fresh clone has no drift."""
    found = errspec("check", cwd=project)
    assert found.returncode == 0, found.stdout
    assert "files are what the spec says" in found.stdout


def test_a_changed_verdict_is_told_with_hunk_and_line_and_mended(
    project: pathlib.Path,
) -> None:
    """Every file that differs is named, with the lines and the catalogue's line."""
    spec = project / "spec" / "agent.yaml"
    text = spec.read_text(encoding="utf-8")
    start = text.index("\n  SANDBOX_TIMEOUT:")
    changed = text[:start] + text[start:].replace(
        "retryable: true", "retryable: false", 1
    )
    spec.write_text(changed, encoding="utf-8")
    found = errspec("check", cwd=project)
    assert found.returncode == 1
    for name in (
        "json/agent/catalogue.json",
        "json/agent/vectors.json",
        "markdown/agent/errors.md",
        "python/agent/agent_errors/codes.py",
        "python/agent/agent_errors/errors.py",
        "typescript/agent/index.d.ts",
        "typescript/agent/index.js",
    ):
        assert f"generated/{name}: outdated" in found.stdout
    assert "-        retryable=True," in found.stdout
    assert "+        retryable=False," in found.stdout
    where = f"spec/agent.yaml:{_line(spec, '  SANDBOX_TIMEOUT:')}"
    hunks = [line for line in found.stdout.splitlines() if line.startswith("  @@")]
    assert len(hunks) >= 5
    assert all(line.endswith(f"@@  {where}") for line in hunks)
    assert "errspec generate" in found.stdout.splitlines()[-1]

    assert errspec("generate", cwd=project).returncode == 0
    assert errspec("check", cwd=project).returncode == 0


def test_deleted_edited_stray_and_left_over_are_told_apart(
    project: pathlib.Path,
) -> None:
    """Each kind has its own words; a stray alone is no drift."""
    out = project / "generated"
    (out / "python/agent/agent_errors/stray.py").write_text("", encoding="utf-8")
    found = errspec("check", cwd=project)
    assert found.returncode == 0
    assert "stray.py: stray" in found.stdout

    (out / "markdown/agent/errors.md").unlink()
    _edit(
        out / "python/agent/agent_errors/errors.py", "retryable = True", "retryable = 1"
    )
    (project / "errspec.yaml").write_text(
        "errspec: 1\ncatalogues:\n  - {spec: spec/agent.yaml, targets: [python, markdown]}\n",
        encoding="utf-8",
    )
    _edit(out / "json/agent/schema.json", "urn:errspec", "urn:mine")
    found = errspec("check", cwd=project)
    assert found.returncode == 1
    assert "errors.md: missing" in found.stdout
    assert "errors.py: edited by hand" in found.stdout
    assert "catalogue.json: left over" in found.stdout
    assert "schema.json: left over and edited by hand" in found.stdout
    assert "stray.py: stray" in found.stdout


def test_an_edited_file_is_refused_and_nothing_is_written(
    project: pathlib.Path,
) -> None:
    """An edit by hand is never lost without --force."""
    out = project / "generated"
    page = out / "markdown/agent/errors.md"
    _edit(page, "# Agent", "# My agent")
    (out / "json/agent/vectors.json").unlink()
    found = errspec("generate", cwd=project)
    assert found.returncode == 2
    assert "errors.md" in found.stderr and "--force" in found.stderr
    assert "# My agent" in page.read_text(encoding="utf-8")
    assert not (out / "json/agent/vectors.json").exists()
    assert errspec("generate", "--force", cwd=project).returncode == 0
    assert "# My agent" not in page.read_text(encoding="utf-8")
    assert errspec("check", cwd=project).returncode == 0


def test_a_second_run_writes_nothing(project: pathlib.Path) -> None:
    """Files that are right keep their time of change."""
    files = [p for p in (project / "generated").rglob("*") if p.is_file()]
    before = {p: p.stat().st_mtime_ns for p in files}
    found = errspec("generate", cwd=project)
    assert "no files changed" in found.stdout
    assert {p: p.stat().st_mtime_ns for p in files} == before


@pytest.mark.parametrize(
    "env",
    [
        {"PYTHONHASHSEED": "0"},
        {"PYTHONHASHSEED": "1"},
        {"LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8", "TZ": "Asia/Kolkata"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "COLUMNS": "20"},
        {"COLUMNS": "200", "TERM": "dumb"},
    ],
    ids=str,
)
def test_the_output_depends_on_the_catalogue_alone(
    project: pathlib.Path, env: dict[str, str]
) -> None:
    """Hash seed, locale, time zone and terminal change no byte."""
    before = _bytes(project)
    shutil.rmtree(project / "generated")
    assert errspec("generate", cwd=project, **env).returncode == 0
    assert _bytes(project) == before


def test_the_output_does_not_depend_on_line_endings_or_the_folder_we_are_in(
    project: pathlib.Path,
) -> None:
    """A spec with CRLF and a BOM, from a folder below, gives the same bytes."""
    spec = project / "spec" / "agent.yaml"
    text = spec.read_text(encoding="utf-8").replace("\n", "\r\n")
    spec.write_bytes(b"\xef\xbb\xbf" + text.encode())
    found = errspec("check", cwd=project / "spec")
    assert found.returncode == 0, found.stdout


def _bytes(folder: pathlib.Path) -> dict[str, bytes]:
    files = (
        p for p in folder.rglob("*") if p.is_file() and "__pycache__" not in p.parts
    )
    found = {p.relative_to(folder).as_posix(): p.read_bytes() for p in files}
    return {
        n: t for n, t in found.items() if "egg-info" not in n and "/build/" not in n
    }
