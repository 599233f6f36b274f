"""Texts of a catalogue on its HTML page: they are text there, whatever they hold."""

from __future__ import annotations

import functools
import itertools
import pathlib
import re
from collections.abc import Iterator
from typing import Any

import html5lib
import pytest
from html5lib import treewalkers
from playwright.sync_api import Browser

from browsing import opened
from errspec.diagnostics import Findings
from hostile import HOSTILE, rendered, spoken
from support import CATALOGUES, ROOT, compile_files, run, view_of
from test_hostile_text import SLOT
from test_python_text import bare

PAGE = "html/hostile/index.html"
INLINE = {"code", "br", "wbr"}
"""Tags that a text may have: code in backticks, its lines, and where it may break."""
ATTACKS = {
    "a script": "<script>window.hit = 1</script>",
    "the end of a script": "</script><script>window.hit = 1</script>",
    "the end of a style": "</style><script>window.hit = 1</script>",
    "the end of a title": "</title><script>window.hit = 1</script>",
    "a picture": '<img src="x:y" onerror="window.hit = 1">',
    "the end of an attribute": "\"'><svg onload='window.hit = 1'>",
    "an event": 'x" onmouseover="window.hit = 1" x=\'',
    "an event of a quote": "x' onfocus='window.hit = 1' autofocus tabindex='1",
    "a link": "javascript:window.hit=1",
    "the end of a comment": "--> <script>window.hit = 1</script> <!--",
    "another end of a comment": "--!> <script>window.hit = 1</script>",
    "the end of a table": "</td></tr></tbody></table></main><script>window.hit = 1</script>",
    "references": "&lt;script&gt;window.hit = 1&lt;/script&gt; &#60;script&#62;",
    "a policy": '<meta http-equiv="Content-Security-Policy" content="default-src *">',
    "a base": '<base href="https://a.b/"><form action="https://a.b/"><input name="v">',
    "a template": "{{ constructor.constructor('window.hit = 1')() }} ${window.hit = 1}",
    "code": "`<script>window.hit = 1</script>`",
}


def parts(page: str) -> Iterator[tuple[str, Any]]:
    """Yield the tags of a page with their attributes, and the text between them."""
    parser = html5lib.HTMLParser(strict=True)
    text = ""
    for token in treewalkers.getTreeWalker("etree")(parser.parse(page)):
        kind, name = token["type"], token.get("name")
        if kind in ("Characters", "SpaceCharacters"):
            text += token["data"]
        elif name not in INLINE:
            yield "text", bare(text)
            text = ""
            values = token.get("data", {})
            if isinstance(values, dict):
                values = {n: bare(v) for (_, n), v in values.items()}
            yield f"{kind} {name}", values
    yield "text", bare(text)


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, Any]]:
    """The page of a catalogue whose texts are their own names."""
    folder = tmp_path_factory.mktemp("plain_html")
    return [*parts(rendered(lambda name: f"«{name}»", folder, ["html"])[PAGE])]


@pytest.mark.parametrize("case", [*HOSTILE, *ATTACKS])
def test_a_page_keeps_its_shape_and_shows_the_text(
    case: str, plain: list[tuple[str, Any]], tmp_path: pathlib.Path
) -> None:
    """No text becomes a tag or an attribute, and a reader sees each of them."""
    given, say = spoken({**HOSTILE, **ATTACKS}[case])

    def said(text: str) -> str:
        return bare(SLOT.sub(lambda slot: given[slot[1]], text))

    after = [*parts(rendered(say, tmp_path, ["html"])[PAGE])]
    for (kind, before), (other, seen) in zip(plain, after, strict=True):
        assert kind == other
        if isinstance(before, dict):
            assert seen == {name: said(value) for name, value in before.items()}
        elif kind == "text":
            assert seen == said(before)


@pytest.mark.parametrize("turn", range(3))
def test_no_text_runs_anything(
    turn: int, browser: Browser, tmp_path: pathlib.Path
) -> None:
    """In a browser that opens every entry and goes over every element, no text is a
    script: another attack in each text, and others at each turn."""
    sayings = itertools.cycle([spoken(attack)[1] for attack in ATTACKS.values()])
    for _ in range(5 * turn):
        next(sayings)
    say = functools.cache(lambda name: next(sayings)(name))  # a name is said twice
    file = tmp_path / "page.html"
    file.write_text(rendered(say, tmp_path, ["html"])[PAGE], encoding="utf-8")
    with opened(browser, file, "#FULLY") as page:
        page.evaluate(
            "document.querySelectorAll('.code').forEach(e => e.click());"
            "document.querySelectorAll('*').forEach(e => {"
            " e.dispatchEvent(new Event('mouseover')); e.focus?.(); })"
        )
        for attack in ATTACKS.values():
            page.fill("#_search", attack)
        assert page.evaluate("window.hit") is None
        tags = "document.querySelectorAll('script, style, img, svg, base, meta').length"
        assert page.evaluate(tags) == 9
        addresses: list[str] = page.evaluate("[...document.links].map(a => a.href)")
        ours = ("https://a.b/", file.as_uri() + "#")
        assert addresses and all(address.startswith(ours) for address in addresses)


@pytest.mark.parametrize("field", ["links: {}", "docs_url: {}#{{anchor}}"])
@pytest.mark.parametrize(
    "address", ["javascript:alert(1)", "data:text/html,x", "//a.b/", " https://a.b"]
)
def test_a_link_is_one_of_the_web(field: str, address: str) -> None:
    """What is no http or https address is refused in the catalogue."""
    line = field.format(address).replace(": ", ': "', 1) + '"'
    code, top = (f", {line}", "") if field.startswith("links") else ("", line)
    spec = (
        "errspec: 1\nid: a\ntitle: A\nversion: 1.0.0\nlanguages: [python]\n"
        f"base_class: AError\n{top}\n"
        f"codes:\n  GONE: {{meaning: It is gone, retryable: false{code}}}\n"
    )
    with pytest.raises(Findings) as caught:
        view_of(spec)
    assert "URL" in str(caught.value)


@pytest.mark.parametrize("name", CATALOGUES)
def test_a_page_is_sound(name: str) -> None:
    """It is valid HTML, no id stands in it twice, and every link within it has an end."""
    packs = ["python", "typescript", "html"]
    page = compile_files(CATALOGUES[name], *packs)[-1].files["index.html"]
    tags = [(k, v) for k, v in parts(page) if k.startswith(("StartTag", "EmptyTag"))]
    ids = [v["id"] for _, v in tags if "id" in v] + re.findall(
        r'<code id="([^"]+)"', page
    )
    assert len(ids) == len(set(ids))
    ends = {v["href"][1:] for _, v in tags if v.get("href", "").startswith("#")}
    assert ends and ends <= set(ids)
    assert not re.search(
        r"""https?://(?!www\.w3\.org/2000/svg')""",
        re.sub(r'<a href="http[^>]*>[^<]*</a>|(?s:<style>.*?</style>)', "", page),
    )


@pytest.mark.parametrize("name", ["page.css", "page.js"])
def test_the_page_s_script_and_style_are_kept_in_shape(
    name: str, node_tools: pathlib.Path
) -> None:
    """prettier has nothing to change, and the compiler finds no fault in the script."""
    file = ROOT / "templates" / "html" / name
    prettier = node_tools / ".bin" / "prettier"
    found = run(prettier, "--check", file)
    assert found.returncode == 0, found.stderr
    if name == "page.js":
        flags = ["--allowJs", "--checkJs", "--noEmit", "--strict", "--ignoreConfig"]
        flags += [
            "--target",
            "es2022",
            "--lib",
            "es2022,dom,dom.iterable",
            "--types",
            "",
        ]
        found = run(node_tools / ".bin" / "tsc", *flags, file)
        assert found.returncode == 0, found.stdout
