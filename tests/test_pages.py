"""The Markdown page in the sites that people put it into: every parser shows the same,
and the sites build."""

from __future__ import annotations

import html.parser
import json
import pathlib
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from markdown import Markdown
from markdown_it import MarkdownIt

from documents import block
from errspec.escapes import NEVER_RAW
from errspec.packs import Library
from hostile import HOSTILE
from support import CATALOGUES, ROOT, compile_files, need, run, write
from test_python_text import bare

PLACES = Library().markup("markdown")
TOOLS = ROOT / "tests" / "node" / "node_modules"
BLOCKS = {"h1", "h2", "h3", "p", "li", "th", "td", "pre", "blockquote", "hr", "dd"}
TAGS = {"a", "br", "code", "strong", "ul", "table", "thead", "tbody", "tr", "div"}


def page(text: str) -> str:
    """Return a page that has a text wherever pages have texts."""
    heading, prose, cell = (
        PLACES[p].written(text) for p in ("heading", "text", "cell")
    )
    code, cell_code = PLACES["text"].code(text), PLACES["cell"].code(text)
    return f"""\
[//]: # ({PLACES["comment"].written(text)})

## {heading}

{prose}

- **Label**: {prose}
    - {code}: {prose}
    - {prose}

| A | B |
| --- | --- |
| <a id="x"></a>{cell} | {cell_code} |
| {cell_code}<br/>{cell} |  |

{prose}
"""


def shown(text: str) -> list[tuple[str, str]]:
    """Return the blocks of that page, each with what a reader should see of it."""
    text = bare(text)
    return [
        ("h2", text),
        ("p", text),
        ("li", f"Label:{text}"),
        ("li li", f"{text}:{text}"),
        ("li li", text),
        ("th", "A"),
        ("th", "B"),
        ("td", text),
        ("td", text),
        ("td", text * 2),
        ("td", ""),
        ("p", text),
    ]


class Blocks(html.parser.HTMLParser):
    """Collects the blocks of HTML, each with its own text; an unknown tag is text."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[list[str]] = []
        self.open: list[list[str]] = []
        self.site = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        # MDX leaves out the paragraph around a tag that is all of it.
        block = "p" if tag == "code" and not self.open else tag
        if "header-anchor" in (dict(attrs).get("class") or ""):
            self.site = True  # what VitePress puts into a heading
        elif block in BLOCKS:
            around = [tag for tag, _ in self.open]
            self.found.append([" ".join([*around, block]), ""])
            self.open.append([tag, str(len(self.found) - 1)])
        elif tag not in TAGS:
            self.handle_data(f"<{tag}>")

    def handle_endtag(self, tag: str) -> None:
        self.site = False
        if self.open and self.open[-1][0] == tag:
            self.open.pop()

    def handle_data(self, data: str) -> None:
        if self.open and not self.site:
            self.found[int(self.open[-1][1])][1] += data
        elif not self.site and data.strip():
            self.found.append(["", data])


def blocks(html: str) -> list[tuple[str, str]]:
    """Return each block of HTML by its tag and those around it, with what a reader sees."""
    reader = Blocks()
    reader.feed(html)
    reader.close()
    return [(tag, bare(text)) for tag, text in reader.found]


Answer = Mapping[str, Mapping[str, object]]


@pytest.fixture(scope="module")
def ask(node_tools: pathlib.Path) -> Iterator[Callable[[str], Answer]]:
    """A function that gives a page to MDX and to VitePress."""
    runner = ROOT / "tests" / "pages_runner.mjs"
    with subprocess.Popen(
        [need("node"), runner, node_tools],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    ) as node:
        assert node.stdin and node.stdout

        def answer(text: str) -> Answer:
            assert node.stdin and node.stdout
            print(json.dumps(text), file=node.stdin, flush=True)
            found: Answer = json.loads(node.stdout.readline())
            return found

        yield answer


GFM = MarkdownIt("gfm-like")
PYTHON = Markdown(extensions=["toc", "tables", "fenced_code"])  # as MkDocs has it


def seen(source: str, ask: Callable[[str], Answer]) -> dict[str, list[tuple[str, str]]]:
    """Return the blocks that each parser sees in a page."""
    found = {
        "GitHub": GFM.render(source),
        "MkDocs": PYTHON.reset().convert(source),
        **{parser: str(answer["html"]) for parser, answer in ask(source).items()},
    }
    return {parser: blocks(html) for parser, html in found.items()}


def check(text: str, ask: Callable[[str], Answer]) -> None:
    """Fail where a parser shows another text, or another shape of the page."""
    for parser, found in seen(page(text), ask).items():
        assert found == shown(text), parser


@pytest.mark.parametrize("case", [c for c, t in HOSTILE.items() if len(t) < 2000])
def test_every_parser_shows_a_hostile_text_as_it_is(
    case: str, ask: Callable[[str], Answer]
) -> None:
    """A reader of GitHub, MkDocs, MDX or VitePress sees the catalogue's own characters."""
    check(HOSTILE[case], ask)


WORDS = r"""
{{ }} {{x}} `a` `{{x}}` `a|b` `<b>` `a\` `<!--` `&lt;` a_b __init__ **b** ~~s~~ $x$ [a](b)
![a](b) [x] [^1] [TOC] [[toc]] [a]: <b> </td> <a@b.c> http://a.b www.a.b &lt; &#65; &copy
# - + 1. 1) > --- === ``` ~~~ ::: :::tip :tada: :) :-) 8-) ;) :D ::x :x[y] {#id} {.c} {:
import export !!! ??? \| |---| {%x%} *[x]: <script>
"""
MARKS = [
    *"\\`*_{}[]()#+-.!<>&|~$:;=@\"'/^%,? \n1axBO8é漢\xa0",
    *WORDS.split(),
    *("<!-- c -->", "<<< @/x", "a  \nb", "T\n: d", "\n    ", "import x "),
]
texts = st.lists(
    st.sampled_from(MARKS) | st.sampled_from(["", " ", "word "]), min_size=1, max_size=8
).map("".join)


@settings(
    max_examples=250,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.generate, Phase.shrink],
)
@given(text=texts.filter(lambda text: bare(text) and not NEVER_RAW.search(bare(text))))
def test_every_parser_shows_any_text_as_it_is(
    text: str, ask: Callable[[str], Answer]
) -> None:
    """No mark of any of the parsers means anything in a text, wherever it stands."""
    check(text, ask)


@pytest.mark.parametrize("name", CATALOGUES)
def test_every_parser_shows_the_same_page(
    name: str, ask: Callable[[str], Answer]
) -> None:
    """Headings, paragraphs, lists in lists and cells are the same to all of them."""
    [package] = compile_files(CATALOGUES[name], "markdown")
    first, *others = seen(package.files["errors.md"], ask).values()
    for other in others:
        assert other == first


@pytest.mark.parametrize("name", CATALOGUES)
def test_docusaurus_finds_no_broken_anchor(
    name: str, ask: Callable[[str], Answer]
) -> None:
    """It looks for the targets of Markdown links among headings: the page has none such."""
    [package] = compile_files(CATALOGUES[name], "markdown")
    assert ask(package.files["errors.md"])["mdx"].get("links") == []


# ------------------------------------------------------------------------------- sites


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A project with the pages of all catalogues, and a page of its own, as docs/pages.md
    says."""
    root = tmp_path_factory.mktemp("site")
    for spec in CATALOGUES.values():
        [package] = compile_files(spec, "markdown")
        write(package, root / "generated")
    made = run("sh", "-ec", block("docs/pages.md", "sh"), cwd=root)
    assert made.returncode == 0, made.stderr
    index = "# Shop\n\n[denied](errors/agent/errors.md#POLICY_DENY)\n"
    (root / "docs" / "index.md").write_text(index, encoding="utf-8")
    return root


def anchors(text: str) -> set[str]:
    return set(re.findall(r' id="([^"]+)"', text))


def address(builder: str) -> str:
    """Return the `docs_url` that docs/pages.md gives for a builder, below its host."""
    text = (ROOT / "docs" / "pages.md").read_text(encoding="utf-8")
    section = text.partition(f"\n## {builder}\n")[2].partition("\n## ")[0]
    [path] = re.findall(r'docs_url: "https://acme.dev/(.*)#{anchor}"', section)
    return str(path)


def built(site: pathlib.Path, folder: pathlib.Path, builder: str) -> None:
    """Check that a site has the page of each catalogue where docs/pages.md says, with
    all of its anchors."""
    path = address(builder)
    if path.endswith("/"):
        path += "index.html"
    for name in CATALOGUES:
        source = site / "generated" / "markdown" / name / "errors.md"
        wanted = anchors(source.read_text(encoding="utf-8"))
        page = folder / path.replace("/shop/", f"/{name}/")
        assert wanted <= anchors(page.read_text(encoding="utf-8")), name


def test_mkdocs_builds_the_pages_and_finds_the_anchors(site: pathlib.Path) -> None:
    """With the configuration of docs/pages.md nothing is told of them under --strict, and
    a link to a code that no page has is."""
    config = block("docs/pages.md", "yaml", "# mkdocs.yml").replace("/shop/", "/agent/")
    (site / "mkdocs.yml").write_text(config, encoding="utf-8")
    build = (sys.executable, "-m", "mkdocs", "build", "--strict")
    done = run(*build, cwd=site)
    assert done.returncode == 0, done.stderr
    built(site, site / "site", "MkDocs")
    index = site / "docs" / "index.md"
    text = index.read_text(encoding="utf-8")
    index.write_text(text.replace("POLICY_DENY", "POLICY_GONE"), encoding="utf-8")
    done = run(*build, cwd=site)
    index.write_text(text, encoding="utf-8")
    assert done.returncode == 1 and "#POLICY_GONE" in done.stderr


def test_vitepress_builds_the_pages(
    site: pathlib.Path, node_tools: pathlib.Path
) -> None:
    """With the configuration of docs/pages.md Vue compiles them: each has its anchors."""
    (site / "node_modules").symlink_to(node_tools)
    config = site / "docs" / ".vitepress" / "config.mjs"
    config.parent.mkdir()
    config.write_text(block("docs/pages.md", "js"), encoding="utf-8")
    tool = node_tools / "vitepress" / "bin" / "vitepress.js"
    done = run(need("node"), tool, "build", "docs", cwd=site)
    assert done.returncode == 0, done.stdout + done.stderr
    built(site, config.parent / "dist", "VitePress")
