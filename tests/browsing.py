"""A real browser for the tests of pages: Debian's or the system's, driven by Playwright."""

from __future__ import annotations

import pathlib
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Page, sync_playwright

from support import missing

NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
WIDTHS = (320, 768, 1440)
"""Of a small phone, a tablet and a desk, in CSS pixels."""


def need_browser() -> str:
    """Return the path of the browser; without one a failure in CI, a loud skip elsewhere."""
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        missing("chromium is not installed")
    return path


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start the browser."""
    path = need_browser()
    with sync_playwright() as playwright:
        # Its sandbox needs rights that root in a container does not have.
        browser = playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox"]
        )
        yield browser
        browser.close()


@contextmanager
def opened(
    browser: Browser,
    file: pathlib.Path,
    fragment: str = "",
    *,
    width: int = 1440,
    height: int = 1000,
    dark: bool = False,
    scripts: bool = True,
) -> Iterator[Page]:
    """Open a file in a page of its own, and watch it.

    At the end: nothing was asked of any network, and the console has nothing to say."""
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme="dark" if dark else "light",
        java_script_enabled=scripts,
    )
    context.set_default_timeout(20_000)
    page = context.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("dialog", lambda dialog: said.append(f"dialog: {dialog.message}"))
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    address = file.resolve().as_uri()
    page.goto(address + fragment)
    yield page
    context.close()
    assert not said, "\n".join(said)
    assert {url.partition("#")[0] for url in asked if url[:5] != "data:"} == {address}


def until(page: Page, expression: str) -> None:
    """Wait until an expression holds. Playwright's own way is against the page's policy."""
    for _ in range(500):
        if page.evaluate(expression):
            return
        page.wait_for_timeout(20)
    raise AssertionError(f"this never came to hold: {expression}")
