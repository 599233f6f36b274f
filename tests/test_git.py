"""What a catalogue was is read from git: in real repositories of every shape.

Whatever goes wrong is exit 2 with its own hint, and never passes for "nothing breaks".
"""

from __future__ import annotations

import contextlib
import io
import os
import pathlib
import shutil
import subprocess

import pytest

from errspec.cli import main
from support import need, run

OLD = """\
errspec: 1
id: shop
title: Shop errors
version: 0.1.0
languages: [python]
base_class: ShopError
codes:
  SOLD_OUT: {meaning: Nothing is left., retryable: false}
  CARD_LOST: {meaning: Somebody lost it., retryable: false}
"""
NEW = OLD.replace("left., retryable: false", "left., retryable: true")
FLIPPED = "SOLD_OUT has another verdict: false → true"
CALM = {
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.org",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_COUNT": "1",
    "GIT_CONFIG_KEY_0": "protocol.file.allow",
    "GIT_CONFIG_VALUE_0": "always",
}
Told = subprocess.CompletedProcess[str]


@pytest.fixture(autouse=True)
def _calm(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever runs the tests has no say in what git does."""
    need("git")
    for name, value in CALM.items():
        monkeypatch.setenv(name, value)


def git(folder: pathlib.Path, *command: str) -> str:
    done = run("git", "-C", folder, *command)
    assert not done.returncode, done.stderr
    return done.stdout.strip()


def _write(folder: pathlib.Path, text: str, name: str = "shop.yaml") -> pathlib.Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    return path


def _commit(folder: pathlib.Path, text: str, name: str = "shop.yaml") -> None:
    _write(folder, text, name)
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "x")


@pytest.fixture(scope="module")
def committed(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A repository with the old catalogue."""
    home = tmp_path_factory.mktemp("committed")
    with pytest.MonkeyPatch.context() as patch:
        for name, value in CALM.items():
            patch.setenv(name, value)
        git(home, "init", "-q", "-b", "main")
        _commit(home, OLD)
    return home


@pytest.fixture
def repository(committed: pathlib.Path, tmp_path: pathlib.Path) -> pathlib.Path:
    """A repository whose commit has the old catalogue and whose work tree the new one."""
    home = shutil.copytree(committed, tmp_path / "home", symlinks=True)
    _write(home, NEW)
    return home


def breaking(
    folder: pathlib.Path, ref: str, *more: str, spec: str = "shop.yaml"
) -> Told:
    return errspec("breaking", spec, "--against", ref, *more, cwd=folder)


def errspec(*arguments: str | pathlib.Path, cwd: pathlib.Path) -> Told:
    """Run the command line in this process, which is quicker, in a folder."""
    words = [str(word) for word in arguments]
    out, err = io.StringIO(), io.StringIO()
    with (
        contextlib.chdir(cwd),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        pytest.raises(SystemExit) as stop,
    ):
        main(words)
    code = stop.value.code
    assert isinstance(code, int)
    return Told(words, code, out.getvalue(), err.getvalue())


def _is_told(done: Told, name: str = "shop.yaml") -> None:
    assert done.returncode == 1, done
    assert f"{name}:8:" in done.stderr and FLIPPED in done.stderr, done


def _fails(done: Told, *words: str) -> None:
    """It is exit 2 in one line, which holds the words, and nothing is said to be fine."""
    assert (done.returncode, done.stdout) == (2, ""), done
    assert done.stderr.startswith("errspec: ") and done.stderr.count("\n") == 1, done
    for word in words:
        assert word in done.stderr, done


@pytest.mark.parametrize(
    "ref", ["HEAD", "main", "refs/heads/main", "main...", "HEAD^0"]
)
def test_a_commit_is_found_under_every_name(repository: pathlib.Path, ref: str) -> None:
    """Branches, full names and expressions lead to what was committed."""
    done = breaking(repository, ref)
    _is_told(done)
    assert f"shop.yaml@{ref}:8:" in done.stderr


def test_a_tag_and_a_commit_by_its_hash_are_found(repository: pathlib.Path) -> None:
    """An annotated tag leads to its commit; so do few digits of a hash."""
    git(repository, "tag", "-a", "v1", "-m", "x")
    for ref in ("v1", git(repository, "rev-parse", "--short", "HEAD")):
        _is_told(breaking(repository, ref))


def test_nothing_in_the_repository_is_touched(repository: pathlib.Path) -> None:
    """Index, references and work tree are byte for byte what they were."""

    def state() -> dict[str, tuple[bytes, int]]:
        files = (p for p in repository.rglob("*") if p.is_file())
        return {p.as_posix(): (p.read_bytes(), p.stat().st_mtime_ns) for p in files}

    before = state()
    _is_told(breaking(repository, "HEAD"))
    assert state() == before


def test_the_merge_base_is_what_three_dots_mean(repository: pathlib.Path) -> None:
    """What main did meanwhile is not blamed on the branch."""
    git(repository, "checkout", "-q", "-b", "topic")
    git(repository, "checkout", "-q", "main")
    gone = NEW.replace(
        "  CARD_LOST: {meaning: Somebody lost it., retryable: false}\n", ""
    )
    _commit(repository, gone)
    git(repository, "checkout", "-q", "topic")
    _write(repository, NEW)
    _is_told(breaking(repository, "main..."))
    assert breaking(repository, "main").returncode == 0
    _commit(repository, NEW)
    _is_told(breaking(repository, "main..."))


def test_branches_without_a_common_commit_are_told(repository: pathlib.Path) -> None:
    """There is no merge base to compare with."""
    git(repository, "checkout", "-q", "--orphan", "other")
    _commit(repository, NEW)
    _fails(breaking(repository, "main..."), "no commit in common", "write main")


def test_a_head_that_is_on_no_branch_is_one_too(repository: pathlib.Path) -> None:
    """CI servers check out a commit rather than a branch."""
    git(repository, "checkout", "-q", "--detach")
    _is_told(breaking(repository, "HEAD"))
    _is_told(breaking(repository, "main..."))


def test_a_spec_in_a_subfolder_is_found_from_anywhere(repository: pathlib.Path) -> None:
    """The path is the spec's own, wherever the command is called."""
    name = "über uns/a b/shöp.yaml"
    _commit(repository, OLD, name)
    _write(repository, NEW, name)
    _is_told(breaking(repository, "HEAD", spec=name), name)
    inside = repository / "über uns"
    _is_told(breaking(inside, "HEAD", spec="a b/shöp.yaml"), "shöp.yaml")
    outside = breaking(repository.parent, "HEAD", spec=f"home/{name}")
    _is_told(outside, name)


@pytest.mark.parametrize(
    "name", ["-x.yaml", "a:b.yaml", "a[b]*.yaml", "tab\there.yaml"]
)
def test_a_path_is_no_pattern_and_no_option(
    repository: pathlib.Path, name: str
) -> None:
    """What git reads into paths elsewhere is nothing here."""
    _commit(repository, OLD, name)
    _write(repository, NEW, name)
    done = breaking(repository, "HEAD", spec=f"./{name}")
    assert done.returncode == 1 and FLIPPED in done.stderr, done


def test_a_work_tree_of_its_own_is_a_repository(
    repository: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    """`git worktree add` shares the commits."""
    git(repository, "worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    _write(tmp_path / "side", NEW)
    _is_told(breaking(tmp_path / "side", "main"))


def test_a_spec_in_a_submodule_has_that_ones_commits(
    repository: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    """The repository is that in which the spec stands, not that of the command."""
    git(repository, "checkout", "-q", ".")
    outer = tmp_path / "outer"
    outer.mkdir()
    git(outer, "init", "-q", "-b", "trunk")
    git(outer, "submodule", "--quiet", "add", str(repository), "specs")
    git(outer, "commit", "-qm", "x")
    _write(outer / "specs", NEW)
    _is_told(breaking(outer, "main", spec="specs/shop.yaml"), "specs/shop.yaml")
    _fails(breaking(outer, "trunk", spec="specs/shop.yaml"), "no commit 'trunk'")


def test_line_ends_that_git_changes_change_nothing(repository: pathlib.Path) -> None:
    """With autocrlf the work tree has CRLF and the commit LF."""
    git(repository, "config", "core.autocrlf", "true")
    _write(repository, OLD.replace("\n", "\r\n"))
    done = breaking(repository, "HEAD")
    assert (done.returncode, done.stderr) == (0, ""), done
    _write(repository, NEW.replace("\n", "\r\n"))
    _is_told(breaking(repository, "HEAD"))


def test_a_link_to_the_spec_is_followed_in_the_commit_too(
    repository: pathlib.Path,
) -> None:
    """What a link pointed to then is what counts."""
    git(repository, "checkout", "-q", ".")
    (repository / "link.yaml").symlink_to("shop.yaml")
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "x")
    _write(repository, NEW)
    _is_told(breaking(repository, "HEAD", spec="link.yaml"), "shop.yaml")
    (repository / "lost.yaml").symlink_to("nowhere.yaml")
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "x")
    (repository / "lost.yaml").unlink()
    _write(repository, NEW, "lost.yaml")
    _fails(breaking(repository, "HEAD", spec="lost.yaml"), "leads nowhere")


def test_a_hook_that_names_another_repository_is_not_heard(
    repository: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Git tells hooks of their repository by variables, relative to another folder."""
    _commit(repository, OLD, "deep/shop.yaml")
    _write(repository, NEW, "deep/shop.yaml")
    monkeypatch.setenv("GIT_DIR", ".git")
    monkeypatch.setenv("GIT_INDEX_FILE", ".git/index")
    _is_told(breaking(repository, "HEAD", spec="deep/shop.yaml"), "deep/shop.yaml")


def test_a_spec_that_is_new_breaks_nobody(repository: pathlib.Path) -> None:
    """It is told as new, with the way to say that it was moved."""
    _write(repository, NEW.replace("id: shop", "id: moved"), "moved.yaml")
    done = breaking(repository, "HEAD", spec="moved.yaml")
    assert done.returncode == 0, done
    assert "moved.yaml is new" in done.stderr and "--against-path" in done.stderr


@pytest.mark.parametrize("folder", ["a blob b", "a blob 5", "a tree missing"])
def test_words_of_git_in_a_name_are_no_answer(
    repository: pathlib.Path, folder: str
) -> None:
    """A file that the commit lacks is new also where its name reads like an answer."""
    name = f"{folder}/shop.yaml"
    _write(repository, NEW.replace("id: shop", "id: moved"), name)
    done = breaking(repository, "HEAD", spec=name)
    assert done.returncode == 0 and f"{name} is new" in done.stderr, done


def test_all_but_a_commit_is_no_commit(repository: pathlib.Path) -> None:
    """What git takes for the opposite of a commit names none."""
    _fails(breaking(repository, "^HEAD"), "no commit '^HEAD'")


def test_a_spec_that_was_moved_is_compared_with_what_it_was(
    repository: pathlib.Path,
) -> None:
    """--against-path names the file of then, from where we are, also if it is gone."""
    (repository / "shop.yaml").unlink()
    _write(repository, NEW, "deep/moved.yaml")
    more = ("--against-path", "shop.yaml")
    _is_told(breaking(repository, "HEAD", *more, spec="deep/moved.yaml"), "moved.yaml")
    more = ("--against-path", "../shop.yaml")
    _is_told(
        breaking(repository / "deep", "HEAD", *more, spec="moved.yaml"), "moved.yaml"
    )
    done = breaking(
        repository, "HEAD", "--against-path", "x.yaml", spec="deep/moved.yaml"
    )
    _fails(done, "HEAD has no file 'x.yaml'")
    out = breaking(
        repository, "HEAD", "--against-path", "/x.yaml", spec="deep/moved.yaml"
    )
    _fails(out, "outside of the repository")


@pytest.mark.parametrize(
    ("ref", "word"),
    [
        ("nothing", "fetch it first"),
        ("origin/main", "fetch it first"),
        ("--help", "like an option"),
        ("--output=x", "like an option"),
        ("-h...", "like an option"),
        ("main..", "main... for"),
        ("HEAD:shop.yaml", "no commit"),
        ("main\n--all", "no commit"),
        ("$(touch x)", "no commit"),
        ("HEAD^{tree}", "no commit"),
        ("", "it is empty"),
    ],
)
def test_what_names_no_commit_is_refused(
    repository: pathlib.Path, ref: str, word: str
) -> None:
    """Nothing that is asked for is an option, or an order, to git."""
    done = errspec("breaking", "shop.yaml", f"--against={ref}", cwd=repository)
    assert (done.returncode, done.stdout) == (2, "") and word in done.stderr, done
    assert sorted(p.name for p in repository.iterdir()) == [".git", "shop.yaml"]


def test_a_branch_that_is_named_like_an_option_can_be_asked_for(
    repository: pathlib.Path,
) -> None:
    """By its full name, as git itself has it."""
    git(repository, "update-ref", "refs/heads/--help", "HEAD")
    _is_told(breaking(repository, "refs/heads/--help"))


def test_a_shallow_clone_says_that_it_is_one(
    repository: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    """What was not fetched is not taken for missing."""
    _commit(repository, NEW)
    git(repository, "branch", "topic", "HEAD~1")
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", "--depth=1", f"file://{repository}", str(clone))
    assert breaking(clone, "HEAD").returncode == 0
    for ref in ("HEAD~1", "origin/topic", "topic..."):
        _fails(breaking(clone, ref), "shallow", "fetch-depth: 0")
    git(clone, "fetch", "-q", "--depth=1", "origin", "topic")
    _fails(breaking(clone, "FETCH_HEAD..."), "shallow")
    _is_told(breaking(clone, "FETCH_HEAD"))


def test_contents_that_the_repository_lacks_are_not_taken_for_new(
    repository: pathlib.Path,
) -> None:
    """A broken or partial clone knows of the file, and does not have it."""
    blob = git(repository, "rev-parse", "HEAD:shop.yaml")
    (repository / ".git/objects" / blob[:2] / blob[2:]).unlink()
    _fails(breaking(repository, "HEAD"), "lacks the contents of shop.yaml")


def test_a_folder_in_the_place_of_the_spec_is_told(repository: pathlib.Path) -> None:
    """It is no catalogue, and not the absence of one."""
    _commit(repository, OLD, "deep/shop.yaml")
    shutil.rmtree(repository / "deep")
    _write(repository, NEW, "deep")
    _fails(breaking(repository, "HEAD", spec="deep"), "deep is a folder at HEAD")


def test_outside_of_a_repository_there_is_no_commit(tmp_path: pathlib.Path) -> None:
    """The hint says that a file will do."""
    _write(tmp_path, NEW)
    _fails(breaking(tmp_path, "main"), "in no git repository", "takes a file")


def test_without_git_there_is_no_commit(
    repository: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A machine without git can still compare files."""
    monkeypatch.setenv("PATH", str(tmp_path))
    _fails(breaking(repository, "main"), "git is not installed")
    old = _write(tmp_path, OLD, "old.yaml")
    _is_told(breaking(repository, str(old)))


def test_a_repository_of_somebody_else_is_told_as_that(
    repository: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Containers mount what another user owns, and git then reads nothing."""
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    _fails(breaking(repository, "HEAD"), "somebody else's", "safe.directory")


def test_a_branch_and_a_folder_of_one_name_are_told_apart(
    repository: pathlib.Path,
) -> None:
    """A folder is no file: the branch is meant. A file is meant before a branch."""
    git(repository, "branch", "docs")
    (repository / "docs").mkdir()
    _is_told(breaking(repository, "docs"))
    _write(repository, NEW, "main")
    assert breaking(repository, "main").returncode == 0
    _is_told(breaking(repository, "refs/heads/main"))


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("a: [", "never closed"),
        ("", "the document is empty"),
        ("- a\n", "no-catalogue"),
        ("version https://git-lfs.github.com/spec/v1\n", "no-catalogue"),
        ("title: x\n", "no-catalogue"),
    ],
)
def test_a_base_that_is_no_catalogue_is_exit_2(
    repository: pathlib.Path, text: str, word: str
) -> None:
    """What cannot be read is not compared with."""
    _commit(repository, text)
    _write(repository, NEW)
    done = breaking(repository, "HEAD")
    assert done.returncode == 2 and word in done.stderr, done
    assert "shop.yaml@HEAD" in done.stderr and "nothing" not in done.stdout


def test_a_base_in_another_encoding_is_exit_2(repository: pathlib.Path) -> None:
    """It is told as what it is."""
    (repository / "shop.yaml").write_bytes(OLD.encode("utf-16"))
    git(repository, "commit", "-qam", "x")
    _write(repository, NEW)
    done = breaking(repository, "HEAD")
    assert done.returncode == 2 and "UTF-16" in done.stderr, done


def test_a_base_that_is_invalid_today_is_read_as_far_as_it_goes(
    repository: pathlib.Path,
) -> None:
    """Its problems are warnings; a code that cannot be read is known by its name."""
    strange = OLD.replace("left.,", "left., severity: high,")
    strange += "  ODD: {meaning: No verdict.}\n  ODDER: {retryable: perhaps}\n"
    _commit(repository, strange)
    _write(repository, f"{NEW}  ODD: {{meaning: It has one., retryable: true}}\n")
    done = breaking(repository, "HEAD")
    _is_told(done)
    assert "ODDER is gone" in done.stderr and done.stderr.count("error[") == 2, done
    assert "warning[unknown-key]: unknown key 'severity'" in done.stderr
    assert "not compared, as they cannot be read: ODD, ODDER" in done.stderr


def test_all_catalogues_of_a_project_are_compared(repository: pathlib.Path) -> None:
    """Each with its own past; of a file only one can be compared."""
    second = OLD.replace("id: shop", "id: second")
    _write(repository, second, "second.yaml")
    config = "errspec: 1\ncatalogues: [{spec: shop.yaml}, {spec: second.yaml}]\n"
    _write(repository, config, "errspec.yaml")
    done = errspec("breaking", "--against", "HEAD", cwd=repository)
    _is_told(done)
    assert "second.yaml is new" in done.stderr
    for more in (("second.yaml",), ("HEAD", "--against-path", "x.yaml")):
        told = errspec("breaking", "--against", *more, cwd=repository)
        _fails(told, "is for one catalogue")


def test_a_name_of_a_branch_cannot_turn_what_is_shown(
    repository: pathlib.Path,
) -> None:
    """Names of branches come from others."""
    git(repository, "update-ref", "refs/heads/\u202ex", "HEAD")
    done = breaking(repository, "\u202ex")
    assert done.returncode == 1, done
    assert "\u202e" not in done.stderr and "##vso[" not in done.stderr
