"""What a catalogue's page takes in a browser: to be shown, and at each key of a search."""

from __future__ import annotations

import pathlib
import shutil
from collections.abc import Sequence
from typing import TYPE_CHECKING

from .catalogue import catalogue
from .measure import output, python
from .sections import Row, Section

if TYPE_CHECKING:
    from playwright.sync_api import CDPSession, Page

BROWSERS = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
KEYS = "invoice token"
TITLE = "Pages: in a browser"
SETTLED = "new Promise(done => requestAnimationFrame(() => setTimeout(done)))"

PAINTED = """new Promise(done => new PerformanceObserver(list => {
  const found = list.getEntriesByName('first-contentful-paint')[0];
  if (found) done(found.startTime);
}).observe({type: 'paint', buffered: true}))"""


def costs(folder: pathlib.Path, sizes: Sequence[int], rounds: int) -> Section:
    """Measure pages of so many codes, each opened anew for every round."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        return Section("pages", TITLE, (), ("Not measured: there is no chromium.",))
    from playwright.sync_api import sync_playwright

    rows: list[Row] = []
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=browser, args=["--no-sandbox"]
        )
        for size in sizes:
            file = _page(folder, size)
            found: list[dict[str, float]] = []
            for _ in range(rounds):
                page = chromium.new_page(viewport={"width": 1440, "height": 1000})
                found.append(_measured(page, file))
                page.close()
            least = {key: min(one[key] for one in found) for key in found[0]}
            rows.append({"codes": size, "page_kb": file.stat().st_size / 1000, **least})
        chromium.close()
    return Section(
        "pages",
        TITLE,
        rows,
        (
            "script: what the page's own script takes, until it is shown, and for the "
            "slowest key of a search. paint: until something is seen. work: all that the "
            "browser does for that key, layout and drawing included.",
        ),
    )


def _page(folder: pathlib.Path, size: int) -> pathlib.Path:
    home = folder / f"page{size}"
    home.mkdir()
    (home / "bench.yaml").write_text(catalogue(size), encoding="utf-8")
    command = python(
        "-m", "errspec", "generate", "bench.yaml", "-t", "html", folder=home
    )
    output(*command.words, folder=home)
    return home / "generated" / "html" / "bench" / "index.html"


def _measured(page: Page, file: pathlib.Path) -> dict[str, float]:
    """Open a page, and search in it; milliseconds."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")
    page.goto(file.resolve().as_uri())
    painted: float = page.evaluate(PAINTED)
    shown = _figures(session)
    page.focus("#_search")
    scripts, works = [], []
    for key in KEYS:
        before = _figures(session)
        page.keyboard.press("Space" if key == " " else key)
        page.evaluate(SETTLED)
        after = _figures(session)
        scripts.append(after["ScriptDuration"] - before["ScriptDuration"])
        works.append(after["TaskDuration"] - before["TaskDuration"])
    return {
        "first_script_ms": shown["ScriptDuration"],
        "first_paint_ms": painted,
        "key_script_ms": max(scripts),
        "key_work_ms": max(works),
    }


def _figures(session: CDPSession) -> dict[str, float]:
    """Return what the browser has counted so far, in milliseconds."""
    metrics = session.send("Performance.getMetrics")["metrics"]
    return {m["name"]: m["value"] * 1000 for m in metrics}
