"""The GitHub action: its steps run here, with the variables that a runner sets."""

from __future__ import annotations

import json
import os
import pathlib
import re
import stat
import subprocess
import sys
from typing import Any

import pytest
import yaml

from installing import checkout, commit, offline
from support import ROOT, errspec, need, run

ACTION = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
STEPS = ACTION["runs"]["steps"]
EXPRESSION = re.compile(r"\$\{\{ *([\w.-]+) *\}\}")
HOSTILE = "x;touch$IFS.pwned;$(touch$IFS.pwned)`touch$IFS.pwned`&|'\"{}!#%"
"""A branch may be called so."""

RECORDER = f"""\
#!/bin/sh
# Stands in front of the errspec of this checkout and notes down what breaking is asked.
case $1 in
breaking) for word; do printf '%s\\n' "$word"; done >"$0.asked"; [ -n "${{REAL-}}" ] || exit "${{BREAKS:-0}}" ;;
esac
exec '{sys.executable}' -P -m errspec "$@"
"""


class Runner:
    """A job of GitHub's: an action's checkout, a workspace, and the variables."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder
        for name in ("action", "site", "temp", "workspace"):
            (folder / name).mkdir()
        checkout(folder / "action")
        self.env: dict[str, str] = {}
        self.workspace = folder / "workspace"
        self.project = self.workspace / "parts/the shop"
        self.project.mkdir(parents=True)
        assert errspec("init", "--id", "shop", cwd=self.project).returncode == 0
        assert errspec("generate", cwd=self.project).returncode == 0

    def __call__(
        self, inputs: dict[str, str], **env: str
    ) -> subprocess.CompletedProcess[str]:
        """Run the steps that are scripts, with inputs, as the runner does."""
        known = {f"inputs.{n}": i["default"] for n, i in ACTION["inputs"].items()}
        known |= {f"inputs.{name}": value for name, value in inputs.items()}
        known["steps.python.outputs.python-path"] = sys.executable
        [step] = [step for step in STEPS if "run" in step]
        given = {
            name: EXPRESSION.sub(lambda match: known[match[1]], value)
            for name, value in step["env"].items()
        }
        clean = ("GITHUB_", "RUNNER_", "ERRSPEC_")
        inherited = {k: "" for k in os.environ if k.startswith(clean)}
        return run(
            need("bash"),
            *("--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step["run"]),
            cwd=self.workspace,
            **{
                **inherited,
                **self.env,
                **given,
                "GITHUB_ACTIONS": "true",
                "GITHUB_ACTION_PATH": str(self.folder / "action"),
                "GITHUB_WORKSPACE": str(self.workspace),
                "RUNNER_TEMP": str(self.folder / "temp"),
                **env,
            },
        )

    def record(self) -> None:
        """Put the recorder where the action installs errspec, as if it had done so."""
        script = 'cksum <<<"$0" | cut -d " " -f 1'
        number = run(need("bash"), "-c", script, self.folder / "action").stdout.strip()
        venv = self.folder / f"temp/errspec-{number}"
        (venv / "bin").mkdir(parents=True)
        (venv / "installed").touch()
        self.recorder = venv / "bin/errspec"
        self.recorder.write_text(RECORDER, encoding="utf-8")
        self.recorder.chmod(0o755)

    def asked(self) -> list[str] | None:
        """Return, once, what breaking was asked; None where it was not run."""
        noted = self.recorder.with_name("errspec.asked")
        if not noted.exists():
            return None
        words = noted.read_text("utf-8").split("\n")[:-1]
        noted.unlink()
        return words


@pytest.fixture(scope="module")
def runner(tmp_path_factory: pytest.TempPathFactory) -> Runner:
    """A job whose workspace has a project in a folder, with another branch at origin."""
    made = Runner(tmp_path_factory.mktemp("runner"))
    made.record()
    commit(made.workspace)
    run("git", "branch", HOSTILE, cwd=made.workspace)
    origin = made.folder / "origin"
    run("git", "clone", "--quiet", "--bare", made.workspace, origin)
    run("git", "branch", "-D", HOSTILE, cwd=made.workspace)
    run("git", "remote", "add", "origin", origin.as_uri(), cwd=made.workspace)
    return made


CONFIG = {"config": "parts/the shop/errspec.yaml"}


def test_the_action_is_described_and_takes_no_text_into_a_script() -> None:
    """Each input is used, as a variable: an expression in a script would be a hole."""
    used = EXPRESSION.findall(json.dumps(STEPS))
    assert {f"inputs.{name}" for name in ACTION["inputs"]} <= set(used)
    assert all(one["description"] for one in ACTION["inputs"].values())
    assert not [step for step in STEPS if "${{" in step.get("run", "")]
    assert (ROOT / "action/run.sh").stat().st_mode & stat.S_IXUSR


def _sarif(folder: pathlib.Path) -> dict[str, Any]:
    return {
        path.name: json.loads(path.read_text("utf-8"))["runs"][0]
        for path in folder.iterdir()
    }


def test_findings_are_notes_at_files_of_the_repository(runner: Runner) -> None:
    """validate and check both tell theirs; SARIF goes where it is wanted."""
    spec = runner.workspace / "parts/the shop/spec/shop.yaml"
    text = spec.read_text("utf-8")
    spec.write_text(text.replace("retryable: false", "retryable: true"), "utf-8")
    done = runner({**CONFIG, "sarif": "out/the sarif"})
    assert done.returncode == 1, done.stdout + done.stderr
    file = "parts/the shop/generated/json/shop/catalogue.json"
    assert f"::error file={file},line=" in done.stdout
    runs = _sarif(runner.workspace / "out/the sarif")
    assert sorted(runs) == ["check.sarif", "validate.sarif"]
    assert runs["validate.sarif"]["results"] == []
    assert len(runs["check.sarif"]["results"]) > 2
    spec.write_text(text.replace("retryable: false", "retryable: no"), "utf-8")
    done = runner(CONFIG)
    spec.write_text(text, "utf-8")
    assert done.returncode == 1
    file = "parts/the shop/spec/shop.yaml"
    assert done.stdout.count(f"::error file={file},line=") == 2
    assert "error[verdict-type]" in done.stderr


@pytest.mark.parametrize(
    ("inputs", "base", "against"),
    [
        ({}, "", None),
        ({}, "main", "refs/remotes/origin/main"),
        ({}, HOSTILE, f"refs/remotes/origin/{HOSTILE}"),
        ({"breaking": "false"}, "main", None),
        ({"against": "v1.0.0"}, "main", "v1.0.0"),
        ({"against": "--output=x"}, "", "--output=x"),
        ({"against": HOSTILE, "breaking": "false"}, "", None),
        ({"against": HOSTILE}, "", HOSTILE),
    ],
)
def test_breaking_is_asked_of_the_base_of_the_pull_request(
    inputs: dict[str, str], base: str, against: str | None, runner: Runner
) -> None:
    """Or of what the input says, or not at all; no name is taken for a command."""
    done = runner({**CONFIG, **inputs}, GITHUB_BASE_REF=base)
    assert done.returncode == 0, done.stdout + done.stderr
    asked = runner.asked()
    assert asked == (
        None
        if against is None
        else [
            "breaking",
            f"--against={against}",
            "--format",
            "text",
            "--format",
            "github",
        ]
    )
    if against is not None and against.startswith("refs/"):
        done = run("git", "rev-parse", "--verify", against, cwd=runner.workspace)
        assert done.returncode == 0
    assert not list(runner.folder.rglob(".pwned"))


@pytest.mark.parametrize("code", ["1", "2"])
def test_what_breaking_says_is_what_the_step_says(code: str, runner: Runner) -> None:
    """The worst exit code of the three."""
    assert runner({**CONFIG, "against": "x"}, BREAKS=code).returncode == int(code)


def test_a_broken_promise_is_a_note_at_its_line(runner: Runner) -> None:
    """The command itself, asked of the commit before: a verdict that flipped."""
    spec = runner.project / "spec/shop.yaml"
    text = spec.read_text("utf-8")
    spec.write_text(text.replace("retryable: false", "retryable: true", 1), "utf-8")
    try:
        done = runner({**CONFIG, "against": "HEAD"}, REAL="yes")
    finally:
        spec.write_text(text, encoding="utf-8")
    assert done.returncode == 1, done.stdout + done.stderr
    place = r"::error file=parts/the shop/spec/shop.yaml,line=\d+,.*verdict-flipped"
    assert re.search(place, done.stdout), done.stdout
    assert runner.asked() is not None


def test_a_shallow_clone_stays_shallow_and_a_whole_one_whole(
    runner: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The base is fetched with no more history than the clone has."""
    for depth in ([], ["--depth=1"]):
        clone = runner.folder / f"clone{len(depth)}"
        url = (runner.folder / "origin").as_uri()
        run("git", "clone", "--quiet", "--single-branch", *depth, url, clone)
        monkeypatch.setattr(runner, "workspace", clone)
        done = runner(CONFIG, GITHUB_BASE_REF=HOSTILE)
        assert done.returncode == 0, done.stdout + done.stderr
        assert runner.asked() is not None
        assert (clone / ".git/shallow").exists() == bool(depth)


@pytest.mark.parametrize(
    ("inputs", "base", "said"),
    [
        (
            {"config": "nowhere/errspec.yaml"},
            "",
            "the input config names no errspec.yaml",
        ),
        ({"config": "parts/the shop/spec/shop.yaml"}, "", "the input config names no"),
        (
            {**CONFIG, "sarif": "parts/the shop/errspec.yaml"},
            "",
            "the input sarif names no folder",
        ),
        (CONFIG, "gone", "the base of this pull request cannot be fetched"),
    ],
)
def test_what_cannot_be_done_is_a_note_and_exit_2(
    inputs: dict[str, str], base: str, said: str, runner: Runner
) -> None:
    """No project there; a base that origin does not have."""
    done = runner(inputs, GITHUB_BASE_REF=base)
    assert done.returncode == 2
    assert f"::error title=errspec::{said}" in done.stdout


def test_the_action_installs_itself_and_nothing_of_the_workspace_runs(
    tmp_path: pathlib.Path,
) -> None:
    """Once for a job; a pull request may bring a yaml.py, and errspec has its own."""
    runner = Runner(tmp_path)
    runner.env = offline(tmp_path / "site")
    trap = "import pathlib; pathlib.Path(__file__).with_name('pwned').touch()\n"
    for folder in (runner.workspace, runner.project):
        for name in ("yaml", "click", "pip", "errspec", "venv", "hatchling"):
            (folder / f"{name}.py").write_text(trap, encoding="utf-8")
    for again in (False, True):
        if again:  # what is there is used, and nothing could be installed
            runner.env |= {"PIP_CONFIG_FILE": "/", "PIP_NO_INDEX": "x"}
        done = runner({**CONFIG, "breaking": "false"})
        assert done.returncode == 0, done.stdout + done.stderr
        assert "2 codes, no errors" in done.stderr
    assert not list(runner.workspace.rglob("pwned"))
