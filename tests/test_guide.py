"""The guide "Add a language" is true: followed to the letter, it gives what it shows."""

from __future__ import annotations

import pathlib
import re
import shutil

import pytest
from markdown_it import MarkdownIt

from support import ROOT, errspec, run

GUIDE = (ROOT / "docs" / "add-a-language.md").read_text(encoding="utf-8")
BLOCKS = [t for t in MarkdownIt("gfm-like").parse(GUIDE) if t.type == "fence"]


@pytest.fixture
def project(tmp_path: pathlib.Path) -> pathlib.Path:
    """A project with each file that the guide shows, under the name in its first line."""
    for block in BLOCKS:
        first, _, rest = block.content.partition("\n")
        named = re.fullmatch(r"(?:# |\{# )([\w/.]+)(?: #\})?", first)
        if named:
            path = tmp_path / named[1]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(rest, encoding="utf-8")
    return tmp_path


def test_the_pack_of_the_guide_writes_what_the_guide_shows(
    project: pathlib.Path,
) -> None:
    """A language file and a pack are enough: nothing in the generator is changed."""
    done = errspec("generate", cwd=project)
    assert done.returncode == 0, done.stderr
    [shown] = [block.content for block in BLOCKS if block.info == "go"]
    written = project / "generated/go/shop/errors.go"
    assert written.read_text(encoding="utf-8") == shown
    assert errspec("check", cwd=project).returncode == 0
    page = (project / "generated/html/shop/index.html").read_text(encoding="utf-8")
    assert "<code>if code == shoperrors.PaymentFailed {\n\t// …\n}</code>" in page
    if shutil.which("gofmt"):
        assert run("gofmt", "-l", "-e", written).stdout == ""


def test_the_pack_of_the_guide_is_held_to_the_rules(project: pathlib.Path) -> None:
    """A name that the pack defines itself is refused, a mistake told at its line."""
    spec = project / "spec/shop.yaml"
    text = spec.read_text(encoding="utf-8")
    taken = "types: {Retryable: {fields: {x: {type: string}}}}\ncodes:"
    spec.write_text(text.replace("codes:", taken), encoding="utf-8")
    found = errspec("generate", cwd=project)
    assert found.returncode == 1
    assert "Retryable and the package itself would both be Retryable" in found.stderr
    spec.write_text(text, encoding="utf-8")
    template = project / "packs/go/errors.go.j2"
    broken = template.read_text(encoding="utf-8").replace(
        "view.raised %", "view.rised %"
    )
    template.write_text(broken, encoding="utf-8")
    found = errspec("generate", cwd=project)
    assert found.returncode == 2
    assert "packs/go/errors.go.j2:5:21: error[undefined]" in found.stderr


def test_the_guide_names_only_what_is_there() -> None:
    """Every path of this repository that the guide mentions exists."""
    for path in re.findall(r"`((?:generator|templates|tests|spec)/[\w/.]+)`", GUIDE):
        assert (ROOT / path).exists(), path
    for module in re.findall(r"\(`(test_\w+)`", GUIDE):
        assert (ROOT / "tests" / f"{module}.py").is_file(), module
