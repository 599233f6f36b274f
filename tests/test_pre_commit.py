"""The hooks for pre-commit, run by pre-commit itself in a repository of a user."""

from __future__ import annotations

import json
import pathlib
import subprocess
from collections.abc import Callable

import yaml

from installing import checkout, commit, offline
from support import ROOT, errspec, need, run

HOOKS = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))


def test_the_hooks_file_is_what_pre_commit_expects() -> None:
    """Keys that it does not know, or that are missing, are no surprise for users."""
    done = run(need("pre-commit"), "validate-manifest", ROOT / ".pre-commit-hooks.yaml")
    assert done.returncode == 0, done.stdout + done.stderr
    assert [hook["id"] for hook in HOOKS] == ["errspec-validate", "errspec-check"]


def test_the_hooks_of_the_docs_stop_what_is_wrong(tmp_path: pathlib.Path) -> None:
    """A sound project passes; a broken catalogue, and one that moved on, do not."""
    tool = need("pre-commit")
    folders = [tmp_path / name for name in ("hooks", "site", "user")]
    for folder in folders:
        folder.mkdir()
    hooks, site, user = folders
    revision = commit(checkout(hooks))
    env = {**offline(site), "PRE_COMMIT_HOME": str(tmp_path / "home")}
    _, _, shown = (ROOT / "docs/ci.md").read_text("utf-8").partition("\nrepos:\n")
    config = yaml.safe_load("repos:\n" + shown.partition("```")[0])
    config["repos"][0] |= {"repo": str(hooks), "rev": revision}
    (user / ".pre-commit-config.yaml").write_text(json.dumps(config), encoding="utf-8")
    assert errspec("init", "--id", "shop", cwd=user).returncode == 0
    assert errspec("generate", cwd=user).returncode == 0
    commit(user)

    def hooked() -> subprocess.CompletedProcess[str]:
        run("git", "add", "--all", cwd=user)
        return run(tool, "run", cwd=user, **env)

    def edit(name: str, change: Callable[[str], str]) -> None:
        text = (user / name).read_text("utf-8")
        assert change(text) != text
        (user / name).write_text(change(text), encoding="utf-8")

    edit("spec/shop.yaml", lambda text: text + "# a comment\n")
    done = hooked()
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("..Passed") == 2

    edit(
        "spec/shop.yaml", lambda text: text.replace("retryable: false", "retryable: no")
    )
    done = hooked()
    assert done.returncode == 1 and done.stdout.count("..Failed") == 2
    assert "spec/shop.yaml:" in done.stdout and "error[verdict-type]" in done.stdout

    edit(
        "spec/shop.yaml", lambda text: text.replace("retryable: no", "retryable: true")
    )
    done = hooked()
    assert done.returncode == 1
    assert (done.stdout.count("..Failed"), done.stdout.count("..Passed")) == (1, 1)
    assert "outdated: the spec moved" in done.stdout

    assert errspec("generate", cwd=user).returncode == 0
    commit(user)
    (user / "generated/markdown/shop/errors.md").unlink()
    done = hooked()
    assert done.returncode == 1 and "errors.md: missing" in done.stdout
