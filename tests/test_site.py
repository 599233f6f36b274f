"""The site that `errspec docs` writes: from disk, in a browser, and again."""

from __future__ import annotations

import json
import pathlib
import re

import html5lib
import pytest
from playwright.sync_api import Browser

from browsing import opened
from errspec import resources
from support import ROOT, errspec, run, view_of

NAMES = ("agent", "criogen", "oma")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """The site of this repository's catalogues."""
    folder = tmp_path_factory.mktemp("docs") / "site"
    found = errspec("docs", "--out", folder, cwd=ROOT)
    assert found.returncode == 0, found.stderr
    return folder


def test_it_has_a_page_and_the_data_of_each_catalogue(site: pathlib.Path) -> None:
    """An index, pages, JSON with its schema, and the schema of catalogues."""
    for name in NAMES:
        data = json.loads((site / name / "catalogue.json").read_text("utf-8"))
        assert data["id"] == name
        assert (site / name / "schema.json").is_file()
        page = (site / name / "index.html").read_text("utf-8")
        assert '<a href="../index.html">' in page
    schema = (resources.folder("spec") / "catalogue.schema.json").read_text("utf-8")
    assert (site / "catalogue.schema.json").read_text("utf-8") == schema


def test_every_link_within_it_has_an_end(site: pathlib.Path) -> None:
    """Files are there, and fragments are places of their pages."""
    pages = {f: f.read_text("utf-8") for f in site.rglob("*.html")}
    assert len(pages) == 4
    ends = {f: set(re.findall(r' id="([^"]+)"', text)) for f, text in pages.items()}
    count = 0
    for file, text in pages.items():
        for link in re.findall(r' href="([^"]+)"', text):
            if not link.startswith(("https:", "data:")):
                path, _, fragment = link.partition("#")
                target = (file.parent / path).resolve() if path else file
                assert target.is_file(), link
                assert not fragment or fragment in ends[target], link
                count += 1
    assert count > 500


def test_a_reader_finds_a_code_among_all_catalogues(
    site: pathlib.Path, browser: Browser
) -> None:
    """The index is searched by any name of a code, and leads to its entry."""
    index = site / "index.html"
    with opened(browser, index) as page:
        codes = [
            c.key
            for n in NAMES
            for c in view_of((ROOT / f"spec/{n}.yaml").read_text("utf-8")).shown
        ]
        assert page.inner_text("#_count") == f"{len(codes)} codes"
        page.keyboard.press("/")
        page.keyboard.type("policy_deny")
        assert page.inner_text("#_count") == f"1 of {len(codes)} codes"
        assert page.locator("li:visible").count() == 1
        assert page.locator("section:visible").count() == 1
        page.keyboard.press("Escape")
        page.keyboard.type("no quux")
        assert page.is_visible(".none")
        page.keyboard.press("Enter")
        assert page.url == index.resolve().as_uri()
    page = browser.new_page()
    page.goto(index.resolve().as_uri())
    page.fill("#_search", "EgressPolicyError unresolved")
    page.press("#_search", "Enter")
    page.wait_for_selector(".open")
    assert page.url.endswith("/oma/index.html#EGRESS_POLICY_TARGET_UNRESOLVED")
    page.click("header a")
    page.wait_for_url("**/site/index.html")
    page.close()


def test_the_index_fits_every_screen_and_axe_finds_nothing(
    site: pathlib.Path, browser: Browser, node_tools: pathlib.Path
) -> None:
    """Light and dark, narrow and wide, and without scripts it lists everything."""
    axe = (node_tools / "axe-core" / "axe.min.js").read_text("utf-8")
    for width, dark in ((320, True), (1440, False)):
        with opened(browser, site / "index.html", width=width, dark=dark) as page:
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            page.evaluate(axe)
            found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
            assert [(v["id"], v["nodes"][0]["html"]) for v in found["violations"]] == []
    with opened(browser, site / "index.html", scripts=False) as page:
        assert page.locator("li:visible").count() > 100
        assert not page.is_visible(".tools")


WILD = """\
errspec: 1
id: {0}
title: {0} errors
version: 1.0.0
languages: [python]
base_class: AError
codes:
  GONE: {{meaning: It is gone., retryable: false, wire: 1205, aliases: [vanished]}}
  OLD: {{retired: {{since: 1.0.0, reason: nobody raised it}}}}
"""


def test_an_index_of_any_catalogues_is_sound_and_knows_all_names(
    tmp_path: pathlib.Path, browser: Browser
) -> None:
    """Catalogues may be called like parts of the page, and be many; what a code was
    called, and what it is on the wire, finds it too."""
    names = ("search", "codes", "count", "index", "main")
    for name in names:
        (tmp_path / f"{name}.yaml").write_text(WILD.format(name), encoding="utf-8")
    specs = "".join(f"  - spec: {name}.yaml\n" for name in names)
    config = f"errspec: 1\ncatalogues:\n{specs}"
    (tmp_path / "errspec.yaml").write_text(config, encoding="utf-8")
    found = errspec("docs", cwd=tmp_path)
    assert found.returncode == 0, found.stderr
    index = tmp_path / "errors-site" / "index.html"
    text = index.read_text("utf-8")
    html5lib.HTMLParser(strict=True).parse(text)
    ids = re.findall(r' id="([^"]+)"', text)
    assert len(ids) == len(set(ids))
    with opened(browser, index) as page:
        assert page.inner_text("h1") == "5 catalogues of errors"
        # Of 10,000 list items, a search that hides most took a minute.
        item = "getComputedStyle(document.querySelector('.list li')).display"
        assert page.evaluate(item) == "block"
        for query in ("1205", "vanished", "GoneError", "old", "retired"):
            page.fill("#_search", query)
            assert page.locator("li:visible").count() == 5, query
        page.fill("#_search", "retry")
        assert page.locator("li:visible").count() == 0


def test_it_is_written_once_and_kept_up(tmp_path: pathlib.Path) -> None:
    """A second run writes nothing, a catalogue that is gone leaves no page, an edit is
    refused, and files of others stay."""

    def docs(*more: str) -> tuple[int, str]:
        found = errspec("docs", *more, cwd=tmp_path)
        return found.returncode, found.stdout + found.stderr

    for name in ("one", "two"):
        assert errspec("init", "--id", name, name, cwd=tmp_path).returncode == 0
    config = "errspec: 1\ncatalogues:\n"
    specs = [f"  - spec: {n}/spec/{n}.yaml\n" for n in ("one", "two")]
    (tmp_path / "errspec.yaml").write_text(config + "".join(specs), encoding="utf-8")
    assert docs()[0] == 0
    (tmp_path / "errors-site" / "CNAME").write_text(
        "errors.example\n", encoding="utf-8"
    )
    assert docs() == (
        0,
        "no files changed, 10 already right\nopen errors-site/index.html\n",
    )

    (tmp_path / "errspec.yaml").write_text(config + specs[0], encoding="utf-8")
    status, said = docs()
    assert status == 0 and "deleted errors-site/two/index.html" in said
    left = sorted(p.name for p in (tmp_path / "errors-site").iterdir())
    assert left == ["CNAME", "MANIFEST", "catalogue.schema.json", "index.html", "one"]

    page = tmp_path / "errors-site" / "index.html"
    page.write_text("mine\n", encoding="utf-8")
    assert docs()[0] == 2
    assert page.read_text("utf-8") == "mine\n"
    assert docs("--force")[0] == 0

    for folder in ("generated", "generated/html", "generated/python/one"):
        status, said = docs("--out", folder)
        assert status == 2 and "name another folder" in said
    assert not (tmp_path / "generated").exists()


OWN = "pack: 1\nmeaning: Mine.\nfiles: [{to: FILE, text: mine}]\n"


@pytest.mark.parametrize(
    ("file", "status", "said"),
    [
        ("other.json", 0, ""),
        ("catalogue.json", 0, ""),
        ("index.html", 2, "the packs html and json share a folder"),
        ("Index.HTML", 2, "are one path"),
        ("index.html/a", 2, "stands inside 'index.html'"),
    ],
)
def test_data_of_a_pack_of_the_users_has_its_links_and_its_place(
    file: str, status: int, said: str, tmp_path: pathlib.Path
) -> None:
    """The index links to the files that there are, and no page gives way to data."""
    pack = tmp_path / "packs" / "json"
    pack.mkdir(parents=True)
    (pack / "pack.yaml").write_text(OWN.replace("FILE", file), encoding="utf-8")
    (tmp_path / "a.yaml").write_text(WILD.format("a"), encoding="utf-8")
    (tmp_path / "errspec.yaml").write_text(
        "errspec: 1\ntemplates: [packs]\ncatalogues: [{spec: a.yaml}]\n",
        encoding="utf-8",
    )
    found = errspec("docs", cwd=tmp_path)
    assert found.returncode == status, found.stderr
    assert said in found.stderr
    if not status:
        index = (tmp_path / "errors-site" / "index.html").read_text("utf-8")
        links = re.findall(r'href="(a/[^"#]*)"', index)
        assert links and all(
            (tmp_path / "errors-site" / link).is_file() for link in links
        )
        assert (f"a/{file}" in links) is (file == "catalogue.json")


def test_a_site_is_of_what_it_was_asked_for(tmp_path: pathlib.Path) -> None:
    """Named alone, a catalogue has the whole site: the index and the folders agree."""
    for name in ("a", "b"):
        (tmp_path / f"{name}.yaml").write_text(WILD.format(name), encoding="utf-8")
    (tmp_path / "errspec.yaml").write_text(
        "errspec: 1\ncatalogues: [{spec: a.yaml}, {spec: b.yaml}]\n", encoding="utf-8"
    )
    for specs, folders in (((), "ab"), (("a.yaml",), "a"), (("b.yaml",), "b")):
        assert errspec("docs", *specs, cwd=tmp_path).returncode == 0
        site = tmp_path / "errors-site"
        assert sorted(p.name for p in site.iterdir() if p.is_dir()) == [*folders]
        index = (site / "index.html").read_text("utf-8")
        assert re.findall(r'<h2[^>]*><a href="(.)/index.html">', index) == [*folders]


def test_make_docs_gives_the_site_of_this_checkout() -> None:
    """The target that the README names runs this command."""
    found = run("make", "--dry-run", "docs", cwd=ROOT)
    assert ".venv/bin/errspec docs" in found.stdout
