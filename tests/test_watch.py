"""`errspec generate --watch`: each change is one run, and nothing ends it but Ctrl-C."""

from __future__ import annotations

import contextlib
import gc
import pathlib
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from errspec import watch
from errspec.cli import attempt
from errspec.inputs import Inputs, inputs
from errspec.literals import Strings
from errspec.model import Catalogue
from errspec.packs import Library
from errspec.view import View
from support import errspec, run

SPEC = """
errspec: 1
id: {id}
title: Errors
version: 1.0.0
languages: [python]
base_class: BaseError
codes:
  GONE: {{meaning: "{meaning}.", retryable: false}}
"""
CONFIG = "errspec: 1\ncatalogues:\n  - {spec: shop.yaml, targets: [json]}\n"
PACK = "pack: 1\nmeaning: A test.\nfiles: [{to: page.txt, template: page.j2}]\n"
PATIENCE = 120.0
"""Seconds until a test gives up: for machines that are busy, not for errspec."""


def _save(path: pathlib.Path, text: str) -> None:
    """Save in one step, of which nobody sees a half."""
    beside = path.with_name(f"{path.name}~")
    beside.write_text(text, encoding="utf-8")
    beside.replace(path)


def _spec(meaning: str, id: str = "shop") -> str:
    return SPEC.format(meaning=meaning, id=id)


@pytest.fixture
def shop(tmp_path: pathlib.Path) -> pathlib.Path:
    """A project of one catalogue, shop.yaml, that goes through one pack."""
    _save(tmp_path / "shop.yaml", _spec("It is gone"))
    _save(tmp_path / "errspec.yaml", CONFIG)
    return tmp_path


class Watch:
    """A running `generate --watch`, and what it has said."""

    def __init__(self, cwd: pathlib.Path, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "errspec", "generate", "--watch", *arguments],
            cwd=cwd,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
        )
        self.said: list[str] = []
        self._lines: queue.Queue[str] = queue.Queue()
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line.rstrip("\n"))

    def round(self) -> str:
        """Wait for the end of a run, and return the line that says so."""
        end = time.monotonic() + PATIENCE
        while True:
            with contextlib.suppress(queue.Empty):
                line = self._lines.get(timeout=max(0.0, end - time.monotonic()))
                self.said.append(line)
                if line.startswith("errspec: ") and " in " in line:
                    return line.partition(" in ")[0]
                continue
            raise AssertionError(f"nothing came: {self.said}")

    def close(self) -> None:
        """Take away what is left of it."""
        self.process.kill()
        self.process.wait()
        self._listener.join()
        assert self.process.stdout is not None
        self.process.stdout.close()

    def end(self) -> int:
        """Interrupt it, and return its exit code."""
        self.process.send_signal(signal.SIGINT)
        status = self.process.wait(PATIENCE)
        self._listener.join()
        while not self._lines.empty():
            self.said.append(self._lines.get())
        return status


@pytest.fixture
def watching(shop: pathlib.Path) -> Iterator[Callable[..., Watch]]:
    """A function that starts to watch the project, once the first run is done."""
    started: list[Watch] = []

    def start(*arguments: str) -> Watch:
        started.append(Watch(shop, *arguments))
        assert started[-1].round() == "errspec: done", started[-1].said
        return started[-1]

    yield start
    for one in started:
        one.close()


def _generated(shop: pathlib.Path, id: str = "shop") -> str:
    return (shop / f"generated/json/{id}/catalogue.json").read_text("utf-8")


def test_every_save_is_seen_however_it_is_made(
    shop: pathlib.Path, watching: Callable[..., Watch]
) -> None:
    """In place, by a rename, by a file that goes and comes back, through a link."""
    spec = shop / "shop.yaml"
    session = watching()
    assert "watching errspec.yaml, shop.yaml" in session.said[-1]

    def in_place(text: str) -> None:
        spec.write_text(text, encoding="utf-8")

    def by_rename(text: str) -> None:
        (shop / ".shop.yaml.swp").write_text("what an editor keeps", encoding="utf-8")
        _save(spec, text)

    def anew(text: str) -> None:
        spec.unlink()
        spec.write_text(text, encoding="utf-8")

    def as_a_link(text: str) -> None:
        (shop / "elsewhere").mkdir()
        (shop / "elsewhere" / "real.yaml").write_text(text, encoding="utf-8")
        (shop / "link").symlink_to("elsewhere/real.yaml")
        (shop / "link").replace(spec)

    def through_the_link(text: str) -> None:
        _save(shop / "elsewhere" / "real.yaml", text)

    for save in (in_place, by_rename, anew, as_a_link, through_the_link):
        save(_spec(f"Saved {save.__name__}"))
        # A machine that is busy may show a file while it is half written.
        while session.round() != "errspec: shop.yaml changed: done":
            assert session.said[-1].startswith("errspec: shop.yaml changed: failed")
        assert f"Saved {save.__name__}." in _generated(shop)


def test_errors_are_shown_and_survived(
    shop: pathlib.Path, watching: Callable[..., Watch]
) -> None:
    """A catalogue with errors, none, no errspec.yaml: the next save mends it."""
    spec, config = shop / "shop.yaml", shop / "errspec.yaml"
    session = watching()
    before = _generated(shop)

    _save(spec, "errspec: 1\nid: [\n")
    assert session.round() == "errspec: shop.yaml changed: failed"
    assert any("error[syntax]" in line for line in session.said)
    spec.unlink()
    assert session.round() == "errspec: shop.yaml changed: failed"
    assert any("there is no file 'shop.yaml'" in line for line in session.said)
    assert _generated(shop) == before
    _save(spec, _spec("It is back"))
    assert session.round() == "errspec: shop.yaml changed: done"
    assert "It is back." in _generated(shop)

    config.rename(shop / "kept")
    assert session.round() == "errspec: errspec.yaml changed: failed"
    assert "errspec: errspec.yaml is gone" in session.said
    (shop / "kept").rename(config)
    assert session.round() == "errspec: errspec.yaml changed: done"
    _save(config, CONFIG.replace("json", "jsn"))
    assert session.round() == "errspec: errspec.yaml changed: failed"
    assert any("did you mean json?" in line for line in session.said)


def test_what_errspec_yaml_newly_names_is_watched(
    shop: pathlib.Path, watching: Callable[..., Watch]
) -> None:
    """A second catalogue, and a folder of packs that is made only afterwards."""
    session = watching()
    (shop / "more").mkdir()
    _save(shop / "more" / "bank.yaml", _spec("It is closed", "bank"))
    entry = "  - {spec: more/bank.yaml, targets: [json]}\n"
    _save(shop / "errspec.yaml", CONFIG + entry)
    assert session.round() == "errspec: errspec.yaml changed: done"
    assert "It is closed." in _generated(shop, "bank")
    _save(shop / "more" / "bank.yaml", _spec("It is open", "bank"))
    assert session.round() == "errspec: more/bank.yaml changed: done"
    assert "It is open." in _generated(shop, "bank")

    config = CONFIG.replace("json", "mine") + "templates: [deep/packs]\n"
    _save(shop / "errspec.yaml", config)
    assert session.round() == "errspec: errspec.yaml changed: failed"
    pack = shop / "deep" / "packs" / "mine"
    made = shop / "making" / "packs" / "mine"
    made.mkdir(parents=True)
    (made / "pack.yaml").write_text(PACK, encoding="utf-8")
    (made / "page.j2").write_text("one {{ view.id }}\n", encoding="utf-8")
    (shop / "making").rename(shop / "deep")
    assert session.round().endswith("changed: done"), session.said
    page = shop / "generated" / "mine" / "shop" / "page.txt"
    assert page.read_text("utf-8") == "one shop\n"

    (pack / ".page.j2.swp").write_text("what an editor keeps", encoding="utf-8")
    _save(pack / "page.j2", "two {{ view.id }}\n")
    assert session.round() == "errspec: deep/packs/mine/page.j2 changed: done"
    assert page.read_text("utf-8") == "two shop\n"


def test_it_ends_as_every_stopped_run_does(
    shop: pathlib.Path, watching: Callable[..., Watch]
) -> None:
    """Ctrl-C gives 130, one line, and no half a file."""
    session = watching("shop.yaml", "--dry-run", "--target", "json")
    _save(shop / "shop.yaml", _spec("It is new"))
    assert session.round() == "errspec: shop.yaml changed: done"
    assert session.end() == 130
    assert session.said[-1] == "errspec: interrupted"
    assert "would write generated/json/shop/catalogue.json" in session.said
    assert not any("Traceback" in line for line in session.said)
    assert sorted(path.name for path in shop.iterdir()) == ["errspec.yaml", "shop.yaml"]


def test_without_watchfiles_it_says_how_to_get_them(shop: pathlib.Path) -> None:
    """The extra is named, in the words that one types."""
    script = (
        "import sys; sys.modules['watchfiles'] = None; from errspec.cli import main; "
        "main(['generate', '--watch'])"
    )
    done = run(sys.executable, "-c", script, cwd=shop)
    assert done.returncode == 2
    assert done.stderr == (
        "errspec: --watch needs the package watchfiles: "
        'pip install "errspec[watch]"\n'
    )
    assert not (shop / "generated").exists()


def test_without_a_project_there_is_nothing_to_watch(tmp_path: pathlib.Path) -> None:
    """It does not wait for an errspec.yaml that never was."""
    done = errspec("generate", "--watch", cwd=tmp_path)
    assert done.returncode == 2 and "no errspec.yaml here or above" in done.stderr


def test_a_round_leaves_nothing_behind(
    shop: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A watch may go on for days: what a run has read is gone when it is over."""
    monkeypatch.chdir(shop)

    def alive() -> int:
        assert attempt(["generate", "--target", "python"]) == 0
        gc.collect()
        kinds = (Catalogue, View, Strings, Library)
        return sum(isinstance(each, kinds) for each in gc.get_objects())

    assert alive() == alive()


# --------------------------------------------------------- the rounds, without a process


def test_what_a_round_writes_into_a_page_is_no_change(tmp_path: pathlib.Path) -> None:
    """Of two files that are written while a run works, the page is its own work."""
    spec, page = tmp_path / "shop.yaml", tmp_path / "page.md"
    spec.write_text("1", encoding="utf-8")
    page.write_text("1", encoding="utf-8")
    found = watch.rounds(lambda: Inputs((spec,), (), (page,)))
    assert next(found) == []
    page.write_text("written", encoding="utf-8")
    spec.write_text("changed", encoding="utf-8")
    assert next(found) == [spec]
    spec.write_text("changed again", encoding="utf-8")
    assert next(found) == [spec]
    spec.chmod(0o600)  # it may be what the last run failed at
    assert next(found) == [spec]


def test_a_save_in_several_steps_is_one_round(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is not finished is waited for, each time for a step more."""
    spec = tmp_path / "shop.yaml"
    spec.write_text("1", encoding="utf-8")
    steps = ["half", "", "whole"]

    def sleep(seconds: float) -> None:
        if steps:
            spec.write_text(steps.pop(0), encoding="utf-8")

    monkeypatch.setattr(time, "sleep", sleep)
    found = watch.rounds(lambda: Inputs((spec,), (), ()))
    assert next(found) == []
    spec.unlink()
    assert next(found) == [spec]
    assert spec.read_text("utf-8") == "whole"


@pytest.mark.parametrize("fault", [OSError("no more watches"), RuntimeError("odd")])
def test_where_no_events_come_it_looks_by_itself(
    fault: Exception, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The system may watch no more folders: changes are found all the same."""
    spec, page = tmp_path / "shop.yaml", tmp_path / "page.md"
    spec.write_text("1", encoding="utf-8")
    asked = []

    def refuse(*folders: str, **options: object) -> Iterator[object]:
        asked.append(folders)
        page.write_text("by the user", encoding="utf-8")
        raise fault
        yield  # as watchfiles has it, it refuses when the first event is asked for

    monkeypatch.setattr(watch, "watch", refuse)
    found = watch.rounds(lambda: Inputs((spec,), (), (page,)))
    assert next(found) == []
    assert next(found) == [page]
    assert asked == [(str(tmp_path),)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (CONFIG, Inputs((pathlib.Path("x/shop.yaml"),), (), ())),
        (
            "catalogues: [{spec: a.yaml}, 3, {spec: [b]}, {}]\ntemplates: [p, {}]\n"
            "inject: [README.md]\nnonsense: true\n",
            Inputs(
                (pathlib.Path("x/a.yaml"),),
                (pathlib.Path("x/p"),),
                (pathlib.Path("x/README.md"),),
            ),
        ),
        ("catalogues: {spec: a.yaml}\ntemplates: p\n", Inputs((), (), ())),
        ("- a list\n", Inputs((), (), ())),
        ("catalogues: [\n", Inputs((), (), ())),
        (None, Inputs((), (), ())),
    ],
)
def test_what_is_read_is_known_also_from_a_wrong_errspec_yaml(
    text: str | None,
    expected: Inputs,
    tmp_path: pathlib.Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """So that a save mends what the last one broke."""
    monkeypatch.chdir(tmp_path)
    file = pathlib.Path("x/errspec.yaml")
    file.parent.mkdir()
    if text is not None:
        file.write_text(text, encoding="utf-8")
    assert inputs((), file) == expected._replace(files=(file, *expected.files))
    one = pathlib.Path("one.yaml")
    assert inputs((one,), file) == expected._replace(files=(file, one))
