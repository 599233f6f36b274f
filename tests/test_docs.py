"""The README, CONTRIBUTING and docs/: links lead somewhere, and lists are whole."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

import pytest
import yaml

from documents import block, fences, tokens
from support import ROOT

PAGES = (
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    *sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md")),
)


def links(page: str) -> Iterator[str]:
    """Yield what the links and pictures of a page lead to."""
    for token in tokens(page):
        for child in token.children or ():
            target = child.attrs.get("href") or child.attrs.get("src")
            if target:
                yield str(target)


def anchors(page: str) -> set[str]:
    """Return the anchors of a page, as GitHub makes them of its headings."""
    found: set[str] = set()
    for token, inline in itertools.pairwise(tokens(page)):
        if token.type == "heading_open":
            title = "".join(child.content for child in inline.children or ())
            name = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
            found.add(name if name not in found else f"{name}-1")
    return found | set(re.findall(r'<a id="([^"]+)"', (ROOT / page).read_text("utf-8")))


@pytest.mark.parametrize("page", PAGES)
def test_every_link_between_our_pages_leads_somewhere(page: str) -> None:
    """The file is in the repository, and a part of it that a link names is there."""
    for link in links(page):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (ROOT / page).parent / path if path else ROOT / page
        assert target.exists(), link
        name = target.resolve().relative_to(ROOT.resolve()).as_posix()
        assert not anchor or anchor in anchors(name), link


def test_the_readme_leads_to_every_page() -> None:
    """No page of docs/ is known only to who lists the folder."""
    assert {page for page in PAGES if page.startswith("docs/")} <= set(
        links("README.md")
    )


def test_check_guards_every_page_with_regions() -> None:
    """A page that holds a marker of a region is listed, and each listed page does."""
    config = yaml.safe_load((ROOT / "errspec.yaml").read_text("utf-8"))
    with_regions = [
        page
        for page in PAGES
        for token in tokens(page)
        if token.type == "html_block" and "<!-- errspec:begin" in token.content
    ]
    assert sorted(set(with_regions)) == sorted(config["inject"])


def test_the_docs_name_every_input_of_the_action() -> None:
    """One is in the workflow that they show, the others are in a table."""
    [workflow] = [
        yaml.safe_load(fence.content)
        for fence in fences("docs/ci.md")
        if fence.info == "yaml" and "uses:" in fence.content
    ]
    used = [s for s in workflow["jobs"]["errors"]["steps"] if "errspec@" in s["uses"]]
    _, _, table = (ROOT / "docs/ci.md").read_text("utf-8").partition("| Input |")
    named = re.findall(r"^\| `([\w-]+)` \|", table, re.MULTILINE)
    inputs = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))["inputs"]
    assert sorted([*named, *used[0]["with"]]) == sorted(inputs)


def test_the_workflow_of_the_docs_publishes_as_ours_does() -> None:
    """It has the permissions and the actions of this repository's workflow."""
    shown = yaml.safe_load(
        block("docs/pages.md", "yaml", "# .github/workflows/pages.yml")
    )
    ours = yaml.safe_load((ROOT / ".github/workflows/pages.yml").read_text("utf-8"))
    assert shown["permissions"] == ours["permissions"]
    [here], [there] = ours["jobs"].values(), shown["jobs"].values()
    assert there["environment"] == here["environment"]
    for mine, theirs in zip(here["steps"], there["steps"], strict=True):
        assert theirs.get("uses") == mine.get("uses")
        assert theirs.get("with", {}).get("path") == mine.get("with", {}).get("path")
