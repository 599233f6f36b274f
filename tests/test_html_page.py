"""The page of a catalogue, as a reader uses it: in a real browser."""

from __future__ import annotations

import functools
import pathlib
from collections.abc import Mapping
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from browsing import WIDTHS, opened, until
from errspec.selection import VERDICTS, Selection
from errspec.view import View
from errspec.words import differences, short_verdict, verdict_steps
from support import CATALOGUES, compile_files, view_of, write

PAGES = ("agent", "criogen", "oma", "sink")


@functools.cache
def view(name: str) -> View:
    """Return a catalogue's neutral view."""
    return view_of(CATALOGUES[name].read_text("utf-8"))


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, pathlib.Path]:
    """The pages of the catalogues, on disk."""
    folder = tmp_path_factory.mktemp("pages")
    found = {}
    for name in PAGES:
        packs = [*view(name).catalogue.languages, "html"]
        *_, package = compile_files(CATALOGUES[name], *packs)
        found[name] = write(package, folder) / "index.html"
    return found


def shown(page: Page) -> list[str]:
    """Return the codes that the page shows."""
    found: list[str] = page.evaluate(
        "[...document.querySelectorAll('.entry[data-v]')]"
        ".filter(e => e.checkVisibility()).map(e => e.id)"
    )
    return found


def opened_codes(page: Page) -> list[str]:
    """Return the ids of the entries that are open."""
    found: list[str] = page.evaluate(
        "[...document.querySelectorAll('.entry.open')].map(e => e.id)"
    )
    return found


def is_in_sight(page: Page, key: str) -> bool:
    """Tell whether an entry's first line is on the screen, and nothing lies over it."""
    found: bool = page.evaluate(
        """id => {
          const link = document.getElementById(id).querySelector('.code');
          const box = link.getBoundingClientRect();
          return link.contains(document.elementFromPoint(box.x + 4, box.y + 4));
        }""",
        key,
    )
    return found


# ---------------------------------------------------------------------------- search


SEARCHES = {
    "BUDGET_EXCEEDED": ["BUDGET_EXCEEDED"],
    "policy_deny": ["POLICY_DENIED"],
    "policy deny": ["POLICY_DENIED"],
    "PIIBlockedError": ["PII_BLOCKED"],
    "  price   limit ": ["BUDGET_NO_PRICE"],
    "sparql remote": ["REMOTE_SPARQL"],
    "no quux": [],
    "<b>": [],
    ".*": [],
    "\\": [],
}


def test_a_search_finds_codes_by_all_they_are_called_and_mean(
    browser: Browser, files: Mapping[str, pathlib.Path]
) -> None:
    """Every word must stand somewhere, in any case; marks of patterns are plain text."""
    with opened(browser, files["agent"]) as page:
        for query, codes in SEARCHES.items():
            page.fill("#_search", query)
            assert shown(page) == codes, query
            assert page.inner_text("#_count") == f"{len(codes)} of 50 codes"
            assert page.is_visible(".none") is (not codes)
            groups = {g for c in codes for g in view("agent").code[c].model.groups}
            assert page.locator("section h2:visible").count() == len(groups), query
        page.click(".none button")
        assert len(shown(page)) == 50
        assert page.input_value("#_search") == ""


def test_a_search_goes_with_every_letter(
    browser: Browser, files: Mapping[str, pathlib.Path]
) -> None:
    """What is typed narrows the page at once, and what is taken back widens it."""
    with opened(browser, files["agent"]) as page:
        counts = []
        page.focus("#_search")
        for key in ["m", "c", "p", "_", "n", *["Backspace"] * 5]:
            page.keyboard.press(key)
            counts.append(len(shown(page)))
        assert counts[:5] == sorted(counts[:5], reverse=True)
        assert counts[4] == 1
        assert counts[-1] == 50


# --------------------------------------------------------------------------- filters


def expected(name: str, key: str, value: str) -> list[str]:
    """Return the codes that a filter lets in."""
    found = view(name)
    codes = [c.key for c in [*found.shown, *found.page.retired]]
    if key == "s":
        status = {
            c.key: (
                "retired"
                if c.model.retired
                else "deprecated" if c.model.deprecated else "current"
            )
            for c in found.codes
        }
        return [c for c in codes if status[c] == value]
    if (key, value) == ("l", "*"):
        return [c for c in codes if differences(found, found.code[c])]
    if (key, value) == ("g", "*"):
        return [c for c in codes if not found.code[c].model.groups]
    picked = {
        "v": Selection(verdicts=(value,)),
        "l": Selection(languages=(value,)),
        "g": Selection(groups=(value,)),
    }[key].codes(found)
    return [c for c in codes if c in {p.key for p in picked}]


@pytest.mark.parametrize("name", PAGES)
def test_each_filter_shows_what_it_says(
    name: str, browser: Browser, files: Mapping[str, pathlib.Path]
) -> None:
    """Every value of every filter, and all codes again without it."""
    with opened(browser, files[name]) as page:
        options: dict[str, list[str]] = page.evaluate(
            "Object.fromEntries([...document.querySelectorAll('select')]"
            ".map(s => [s.name, [...s.options].map(o => o.value).filter(Boolean)]))"
        )
        assert options["v"] == list(VERDICTS) and set(options) == set("vlgs")
        everything = shown(page)
        for key, values in options.items():
            for value in values:
                page.select_option(f"select[name={key}]", value)
                assert sorted(shown(page)) == sorted(expected(name, key, value)), value
            page.select_option(f"select[name={key}]", "")
            assert shown(page) == everything
        page.select_option("select[name=v]", "no")
        page.select_option("select[name=l]", "python")
        both = {*expected(name, "v", "no")} & {*expected(name, "l", "python")}
        assert {*shown(page)} == both
        page.click(".tools .clear")
        assert shown(page) == everything


# -------------------------------------------------------------------------- deep links


@pytest.mark.parametrize(
    ("name", "fragment", "code"),
    [
        ("agent", "#POLICY_DENIED", "POLICY_DENIED"),
        ("agent", "#POLICY_DENY", "POLICY_DENIED"),
        ("agent", "#policy_deny", "POLICY_DENIED"),
        ("agent", "#REMOTE_SPARQL", "REMOTE_SPARQL"),
        ("criogen", "#model_failed", "model_failed"),
        ("oma", "#EgressPolicyError", "EgressPolicyError"),
        ("oma", "#MISSING%5FSOURCE", "MISSING_SOURCE"),
    ],
)
def test_a_link_to_any_name_of_a_code_lands_on_its_entry(
    name: str,
    fragment: str,
    code: str,
    browser: Browser,
    files: Mapping[str, pathlib.Path],
) -> None:
    """Opened, marked, and not below what stays at the top; also from a search."""
    with opened(browser, files[name], fragment) as page:
        assert opened_codes(page) == [code]
        assert page.locator(".here").get_attribute("id") == code
        until(page, "scrollY > 0")
        assert is_in_sight(page, code)
        page.evaluate("location.hash = ''")
        page.click(f"[id='{code}'] .code")
        page.fill("#_search", "no quux")
        page.evaluate("to => location.hash = to", fragment)
        page.wait_for_selector(".here")
        assert opened_codes(page) == [code]
        assert page.input_value("#_search") == ""
        assert is_in_sight(page, code)


@pytest.mark.parametrize("width", WIDTHS)
def test_a_link_lands_on_any_screen(
    width: int, browser: Browser, files: Mapping[str, pathlib.Path]
) -> None:
    """Nothing that stays at the top lies over what the link goes to."""
    with opened(browser, files["agent"], "#POLICY_DENY", width=width) as page:
        until(page, "scrollY > 0")
        assert is_in_sight(page, "POLICY_DENIED")


def test_every_name_of_a_code_has_its_place(
    browser: Browser, files: Mapping[str, pathlib.Path]
) -> None:
    """Spellings, aliases and values on the wire all are places of the page, once each."""
    with opened(browser, files["sink"]) as page:
        places: list[str] = page.evaluate(
            "[...document.querySelectorAll('[id]')].map(e => e.id)"
        )
        assert len(places) == len(set(places))
        found = view("sink")
        owners: dict[str, str] = page.evaluate(
            "Object.fromEntries([...document.querySelectorAll('.entry [id], .entry[id]')]"
            ".map(e => [e.id, e.closest('.entry').id]))"
        )
        for text, (kind, owner) in found.page.anchors.items():
            assert text in places
            if kind != "record":
                assert owners[text] == owner
        names = [c.model.aliases for c in found.codes]
        assert any(names) and any(len(c.spellings) > 1 for c in found.codes)


def test_a_link_to_nothing_opens_nothing(
    browser: Browser, files: Mapping[str, pathlib.Path]
) -> None:
    """Whatever stands behind the sharp, the page is as without it."""
    with opened(browser, files["agent"], "#nothing") as page:
        for fragment in ("#nothing", "#", "#%E0%A4%A", "#_search", "#a'\"]<b>"):
            page.evaluate("to => location.hash = to", fragment)
            page.wait_for_timeout(20)
            assert opened_codes(page) == [], fragment
            told = page.inner_text("#_count")
            assert (told == "50 codes") is (fragment in ("#", "#_search")), fragment
            assert len(shown(page)) == 50


def test_a_link_to_a_part_that_a_search_hides_shows_it(
    browser: Browser, files: Mapping[str, pathlib.Path]
) -> None:
    """Groups, classes and records can be gone to at any time, and again."""
    with opened(browser, files["agent"]) as page:
        for fragment in ("_records", "_g-storage", "HandoffSignal"):
            page.fill("#_search", "BUDGET_EXCEEDED")
            part = page.locator(f"[id='{fragment}']")
            assert not part.is_visible()
            page.evaluate("to => location.hash = to", fragment)
            until(page, "!document.querySelector('#_search').value && scrollY > 0")
            assert part.is_visible() and opened_codes(page) == []
        page.fill("#_search", "BUDGET_EXCEEDED")
        page.evaluate("location.hash = '_records'")
        page.fill("#_search", "BUDGET_EXCEEDED")
        page.click("nav a[href='#_records']")
        assert page.locator("#_records").is_visible()


def test_filters_that_the_browser_keeps_hold_again(
    browser: Browser, files: Mapping[str, pathlib.Path]
) -> None:
    """Back from elsewhere, the page shows what its filters say."""
    page = browser.new_page()
    page.goto(files["agent"].as_uri())
    page.select_option("select[name=v]", "yes")
    page.goto(files["oma"].as_uri())
    page.go_back()
    until(page, "document.querySelector('select[name=v]').value === 'yes'")
    until(page, "!document.querySelector('#_count').textContent.startsWith('50')")
    assert sorted(shown(page)) == sorted(expected("agent", "v", "yes"))
    page.close()


# ---------------------------------------------------------------------------- keyboard


def test_the_keyboard_goes_all_the_way(
    browser: Browser, files: Mapping[str, pathlib.Path]
) -> None:
    """`/` searches, arrows move, Enter opens and closes, Escape goes back."""

    def focus(page: Page) -> str:
        found: str = page.evaluate(
            "document.activeElement.id || document.activeElement.textContent"
        )
        return found

    with opened(browser, files["agent"]) as page:
        page.keyboard.press("/")
        assert focus(page) == "_search"
        page.keyboard.type("mcp_")
        page.keyboard.press("/")  # in the search it is a letter
        assert page.input_value("#_search") == "mcp_/"
        page.keyboard.press("Backspace")
        codes = shown(page)
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowDown")
        assert focus(page) == codes[1]
        page.keyboard.press("ArrowUp")
        assert focus(page) == codes[0]
        page.keyboard.press("Enter")
        assert opened_codes(page) == [codes[0]]
        assert page.url.endswith(f"#{codes[0]}")
        link = page.locator(f"#{codes[0]} .code")
        assert link.get_attribute("aria-expanded") == "true"
        page.keyboard.press("Escape")
        assert opened_codes(page) == [] and focus(page) == codes[0]
        assert link.get_attribute("aria-expanded") == "false"
        page.keyboard.press("Escape")
        assert focus(page) == "_search"
        page.keyboard.press("Escape")
        assert page.input_value("#_search") == "" and len(shown(page)) == 50
        page.keyboard.press("ArrowUp")
        assert focus(page) == "_search"
        page.keyboard.press("Escape")
        assert focus(page) != "_search"
        for _ in range(60):  # there is an end to it
            page.keyboard.press("/")
            page.keyboard.press("ArrowDown")
        assert focus(page) == shown(page)[0]


def test_keys_that_are_for_something_else_do_nothing(
    browser: Browser, files: Mapping[str, pathlib.Path]
) -> None:
    """Who composes a letter of another script, or marks text, is left alone."""
    with opened(browser, files["agent"]) as page:
        page.fill("#_search", "mcp")
        for how in ("isComposing", "shiftKey"):
            for key in ("Enter", "Escape", "ArrowDown"):
                page.evaluate(
                    "init => document.activeElement.dispatchEvent("
                    "new KeyboardEvent('keydown', init))",
                    {"key": key, how: True, "bubbles": True},
                )
                assert page.evaluate("document.activeElement.id") == "_search"
                assert page.input_value("#_search") == "mcp", (how, key)
                assert opened_codes(page) == [], (how, key)


def test_enter_in_the_search_opens_what_is_meant(
    browser: Browser, files: Mapping[str, pathlib.Path]
) -> None:
    """A code of this name goes before one whose name begins so, and that before others."""
    meant = {
        "timeout": "TIMEOUT",
        "policy_deny": "POLICY_DENIED",
        "mcp_tool": "MCP_TOOL_ERROR",
        "price": "BUDGET_NO_PRICE",
    }
    with opened(browser, files["agent"]) as page:
        for number, (query, code) in enumerate(meant.items(), 1):
            page.fill("#_search", query)
            page.press("#_search", "Enter")
            assert code in opened_codes(page), query
            assert len(opened_codes(page)) == number
            assert is_in_sight(page, code)


def test_a_click_on_a_row_opens_it_and_marking_text_does_not(
    browser: Browser, files: Mapping[str, pathlib.Path]
) -> None:
    """The whole row is there to be clicked, and its text to be copied."""
    with opened(browser, files["agent"]) as page:
        cell = page.locator("#TIMEOUT .row td").first
        cell.click()
        assert opened_codes(page) == ["TIMEOUT"]
        cell.click()
        assert opened_codes(page) == []
        cell.dblclick(position={"x": 10, "y": 20})  # marks a word
        assert page.evaluate("String(getSelection())").strip()
        before = opened_codes(page)
        cell.click(position={"x": 10, "y": 20}, modifiers=["Shift"])
        assert opened_codes(page) == before
        page.click("#TIMEOUT .code")
        page.click("#POLICY_DENIED .code")
        assert set(opened_codes(page)) >= {"POLICY_DENIED"}


def test_lines_can_be_copied(
    browser: Browser, files: Mapping[str, pathlib.Path]
) -> None:
    """A button at each language's lines copies them, or marks them where it may not."""
    with opened(browser, files["agent"], "#TIMEOUT") as page:
        button = page.locator("#TIMEOUT figure", has_text="Python").locator("button")
        button.click()
        until(
            page,
            "['Copied', 'Selected'].includes(document.querySelector('#TIMEOUT button').textContent)",
        )
        if button.inner_text() == "Selected":
            copied = page.evaluate("String(getSelection())")
        else:
            page.context.grant_permissions(["clipboard-read"])
            copied = page.evaluate("navigator.clipboard.readText()")
        assert copied.strip().startswith("from agent_errors import RunTimeoutError\n")


# ----------------------------------------------------------------------- how it looks


def test_a_dark_screen_gets_a_dark_page(
    browser: Browser, files: Mapping[str, pathlib.Path]
) -> None:
    """Light on dark there, dark on light elsewhere."""

    def brightness(page: Page, property: str) -> float:
        colour: str = page.evaluate(
            "name => getComputedStyle(document.body)[name]", property
        )
        return sum(map(float, colour.strip("rgba()").split(",")[:3])) / 3

    with opened(browser, files["agent"], dark=True) as page:
        assert (
            brightness(page, "backgroundColor") < 40 < 200 < brightness(page, "color")
        )
    with opened(browser, files["agent"]) as page:
        assert (
            brightness(page, "color") < 60 < 240 < brightness(page, "backgroundColor")
        )


SCREENS = [*((width, 1) for width in WIDTHS), (320, 2), (640, 2), (1280, 2)]
"""Widths in CSS pixels, of which zoom leaves fewer, and how large the text is."""


@pytest.mark.parametrize("name", PAGES)
def test_no_screen_is_too_narrow(
    name: str, browser: Browser, files: Mapping[str, pathlib.Path]
) -> None:
    """Nothing sticks out at the side, with all entries open and with text twice as large;
    what stays at the top leaves more than half of the screen (large text of the user's,
    not of the page's as here, would keep it from staying)."""
    with opened(browser, files[name]) as page:
        page.evaluate(
            "document.querySelectorAll('.entry').forEach(e => e.classList.add('open'));"
            "document.querySelector('.glance')?.setAttribute('open', '')"
        )
        for width, scale in SCREENS:
            page.set_viewport_size({"width": width, "height": 1000})
            page.evaluate(
                "size => document.documentElement.style.fontSize = size",
                f"{scale * 100}%",
            )
            wide: list[str] = page.evaluate(
                """() => [...document.querySelectorAll('body *')].filter(e => {
                  const box = e.getBoundingClientRect();
                  return box.right > innerWidth + 1 && !e.closest('pre, nav ul');
                }).map(e => e.outerHTML.slice(0, 200))"""
            )
            size = "[document.documentElement.scrollWidth, innerWidth]"
            whole, screen = page.evaluate(size)
            assert whole <= screen and not wide, (width, scale, wide[:3])
            page.evaluate("scrollTo(0, 3000)")
            low: float = page.evaluate(
                "document.querySelector('.tools').getBoundingClientRect().bottom"
            )
            assert scale > 1 or low < 500, (width, scale)


@pytest.mark.parametrize(
    ("name", "width", "dark"),
    [*((name, 1440, False) for name in PAGES), ("sink", 320, True)],
)
def test_axe_finds_nothing(
    name: str,
    width: int,
    dark: bool,
    browser: Browser,
    files: Mapping[str, pathlib.Path],
    node_tools: pathlib.Path,
    record_property: Any,
) -> None:
    """No rule of axe-core is broken, on a desk and on a phone, with entries open."""
    axe = (node_tools / "axe-core" / "axe.min.js").read_text("utf-8")
    with opened(browser, files[name], width=width, dark=dark) as page:
        page.evaluate(
            "[...document.querySelectorAll('.code')].slice(0, 12).forEach(e => e.click())"
        )
        page.evaluate(axe)
        found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        told = [
            (v["id"], n["html"], n.get("failureSummary"))
            for v in found["violations"]
            for n in v["nodes"]
        ]
        assert not told, told[:5]
        passes = len(found["passes"])
    assert passes > 30
    where = f"{width} px{', dark' if dark else ''}"
    record_property("says", f"axe on {name}, {where}: {passes} rules hold")


# ---------------------------------------------------------------- without its script


@pytest.mark.parametrize("name", PAGES)
def test_without_scripts_everything_is_there_to_be_read(
    name: str, browser: Browser, files: Mapping[str, pathlib.Path]
) -> None:
    """Every entry stands open, and nothing is shown that does nothing."""
    found = view(name)
    with opened(browser, files[name], scripts=False) as page:
        for code in found.shown:
            said = " ".join(page.inner_text(f"[id='{code.key}']").split())
            model = code.model
            texts = [code.key, code.meaning, code.hint, *code.spellings, *model.aliases]
            texts += [short_verdict(code.verdict)]
            texts += [when for _, when in verdict_steps(code.verdict)]
            texts += [f.meaning for f in code.fields] + [f.key for f in code.fields]
            texts += [reason for _, _, reason in differences(found, code)]
            texts += [
                n for v in found.languages.values() for n in v.code[code.key].raised_by
            ]
            texts += [
                n
                for v in found.languages.values()
                for n in v.code[code.key].class_names
            ]
            texts += [*model.links]
            texts += [v.language.title for v in found.languages.values()]
            for text in texts:
                assert " ".join(text.replace("`", "").split()) in said, (code.key, text)
        assert not page.is_visible(".tools") and not page.is_visible(".none")
        assert page.locator("button:visible").count() == 0


def test_without_scripts_a_link_lands_all_the_same(
    browser: Browser, files: Mapping[str, pathlib.Path]
) -> None:
    """Under another spelling too."""
    with opened(browser, files["agent"], "#POLICY_DENY", scripts=False) as page:
        assert is_in_sight(page, "POLICY_DENIED")


def test_on_paper_everything_is_there(
    browser: Browser, files: Mapping[str, pathlib.Path]
) -> None:
    """Printed, every entry is open, and there is no search."""
    with opened(browser, files["agent"]) as page:
        assert not page.is_visible("#TIMEOUT .more")
        page.emulate_media(media="print")
        assert page.is_visible("#TIMEOUT .more")
        assert not page.is_visible(".tools")
        assert len(page.pdf()) > 10_000


def test_the_picture_says_which_language_raises_what(
    browser: Browser, files: Mapping[str, pathlib.Path]
) -> None:
    """A row a code and a column a language, for eyes and for ears alike."""
    with opened(browser, files["agent"]) as page:
        rows: dict[str, list[str]] = page.evaluate(
            "Object.fromEntries([...document.querySelectorAll('.glance tbody tr')].map("
            "r => [r.cells[0].textContent, [...r.cells].slice(1).map(c => c.textContent)]))"
        )
    found = view("agent")
    assert [*rows] == [c.key for c in found.shown]
    for code in found.shown:
        words = []
        for local in found.languages.values():
            mine = local.code[code.key]
            other = mine.spelling if mine.spelling != code.key else "raised"
            words.append(other if mine.is_raised else "only read")
        assert rows[code.key] == words


def test_signs_need_no_colours(
    browser: Browser, files: Mapping[str, pathlib.Path]
) -> None:
    """Printed, or where the system sets all colours, borders alone tell them apart."""
    with opened(browser, files["sink"]) as page:
        for signs, part, count in (
            (".legend i", "::before", 3),
            (".legend span", "", 4),
        ):
            forms: list[str] = page.evaluate(
                """([signs, part]) => [...document.querySelectorAll(signs)].map(e => {
                  const style = getComputedStyle(e, part || null);
                  return [style.borderLeftStyle, style.borderLeftWidth, style.width,
                          style.borderRadius].slice(0, part ? 4 : 1).join(' ');
                })""",
                [signs, part],
            )
            assert len(forms) == len({*forms}) == count
        seen: list[str] = page.evaluate(
            "['yes', 'no', 'depends', 'unset'].map(v => getComputedStyle("
            "document.querySelector(`.columns th.${v}`)).borderLeftStyle)"
        )
        assert seen == forms


def test_a_page_runs_no_script_but_its_own(
    browser: Browser, files: Mapping[str, pathlib.Path]
) -> None:
    """Its policy stops what else might get in, however it did."""
    with (
        pytest.raises(AssertionError) as caught,
        opened(browser, files["agent"]) as page,
    ):
        page.evaluate(
            """document.body.insertAdjacentHTML('beforeend',
              '<img src="x:y" onerror="window.hit = 1"><a id="bad" href="javascript:window.hit=1">x</a>')"""
        )
        page.evaluate("document.getElementById('bad').click()")
        page.evaluate(
            "document.head.append(Object.assign(document.createElement('script'), {text: 'window.hit = 1'}))"
        )
        page.wait_for_timeout(100)
        assert page.evaluate("window.hit") is None
    assert "Content Security Policy" in str(caught.value)
