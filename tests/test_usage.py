"""What pages show as the use of a code: it compiles, and catches just that code."""

from __future__ import annotations

import collections
import functools
import json
import pathlib
import shutil
import textwrap
from collections.abc import Mapping

import html5lib
import pytest

from errspec.view import View
from javascript import run_node
from packages import imported
from rust import cargo, for_rust
from support import CATALOGUES, compile_files, errspec, need, run, view_of, write

NAMES = ("agent", "criogen", "oma", "sink", "family")
Uses = Mapping[str, Mapping[str, str]]
"""Lines by language and code."""


@functools.cache
def text(name: str) -> str:
    """Return a catalogue for all languages."""
    return for_rust(CATALOGUES[name].read_text("utf-8"))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """The packages of the catalogues."""
    folder = tmp_path_factory.mktemp("made")
    for name in NAMES:
        spec = folder / f"{name}.yaml"
        spec.write_text(text(name), encoding="utf-8")
        for package in compile_files(spec, "python", "typescript", "rust", "html"):
            write(package, folder)
    return folder


def uses(made: pathlib.Path, name: str) -> Uses:
    """Read from a page what it shows."""
    page = (made / "html" / name / "index.html").read_text("utf-8")
    tree = html5lib.parse(page, namespaceHTMLElements=False)
    found: dict[str, dict[str, str]] = collections.defaultdict(dict)
    for entry in tree.iterfind(".//tbody[@data-v]"):
        for figure in entry.iterfind(".//figure"):
            language, lines = ("".join(part.itertext()) for part in figure)
            found[language][str(entry.get("id"))] = lines
    return found


def shown(view: View) -> set[str]:
    """Return the keys of the codes that a page shows uses of."""
    return {code.key for code in view.shown}


@pytest.mark.parametrize("name", NAMES)
def test_every_code_has_lines_for_every_language(name: str, made: pathlib.Path) -> None:
    """For codes too that a language only reads."""
    found = uses(made, name)
    assert set(found) == {"Python", "TypeScript", "Rust"}
    for lines in found.values():
        assert set(lines) == shown(view_of(text(name)))


def test_lines_of_python_are_sound(made: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """mypy --strict finds nothing in them."""
    for name in NAMES:
        shutil.copytree(
            made / "python" / name / f"{name}_errors", tmp_path / f"{name}_errors"
        )
        body = "".join(
            f"def use_{number}() -> None:\n{textwrap.indent(lines, '    ')}\n"
            for number, lines in enumerate(uses(made, name)["Python"].values())
        )
        (tmp_path / f"use_{name}.py").write_text(body, encoding="utf-8")
    done = run(need("mypy"), "--strict", "--cache-dir=cache", ".", cwd=tmp_path)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("name", NAMES)
def test_lines_of_python_catch_their_code_and_no_other(
    name: str, made: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An error of the code, as it comes over the wire, is caught; others pass."""
    view = view_of(text(name)).languages["python"]
    plain = [
        code
        for code in view.shown
        if code.is_raised and all(field.optional for field in code.fields)
    ]
    found = uses(made, name)["Python"]
    with imported(made / "python" / name) as module:
        for code in plain:
            program = found[code.key].replace("    ...", "    raise failure", 1)
            for other in plain:
                failure = module.from_wire({"code": other.key, "message": "m"})
                capsys.readouterr()
                try:
                    exec(compile(program, code.key, "exec"), {"failure": failure})
                except BaseException as passed:
                    assert passed is failure and other is not code
                else:
                    assert other is code
                    said = capsys.readouterr().out
                    facts = {fact.name: True for fact in view.facts_of(code)}
                    verdict = module.get_retryable(failure, **facts)
                    assert said == f"{code.spelling} {verdict}\n"


HIDDEN = """\
errspec: 1
id: hidden
title: Hidden
version: 1.0.0
languages: [python]
base_class: HiddenError
classes:
  HiddenError: {meaning: The base., internal: BASE}
  Apart: {extends: none, meaning: Apart from it., internal: true}
codes:
  APART: {class: Apart, meaning: It stands apart., retryable: false}
  OTHER: {class: none, meaning: It has no class., retryable: true}
"""


@pytest.mark.parametrize("base", ["false", "true"])
def test_lines_name_no_class_that_is_internal(
    base: str, tmp_path: pathlib.Path
) -> None:
    """A code that only such a class carries is caught by what it is called."""
    spec = tmp_path / "hidden.yaml"
    spec.write_text(HIDDEN.replace("BASE", base), encoding="utf-8")
    for package in compile_files(spec, "python", "html"):
        write(package, tmp_path)
    found = uses(tmp_path, "hidden")["Python"]
    assert set(found) == {"APART", "OTHER"}
    with imported(tmp_path / "python" / "hidden") as module:
        for key, lines in found.items():
            program = lines.replace("    ...", "    raise failure", 1)
            for other in found:
                failure = module.from_wire({"code": other, "message": "m"})
                passed: BaseException | None = None
                try:
                    exec(compile(program, key, "exec"), {"failure": failure})
                except BaseException as error:
                    passed = error
                assert passed is (None if key == other else failure)


def test_lines_of_typescript_are_sound(
    made: pathlib.Path, tmp_path: pathlib.Path, node_tools: pathlib.Path
) -> None:
    """The compiler takes them, under strict."""
    modules = tmp_path / "node_modules"
    modules.mkdir()
    for name in NAMES:
        shutil.copytree(made / "typescript" / name, modules / f"{name}-errors")
        found = uses(made, name)["TypeScript"].values()
        wanted = "import { getRetryable, isCode }"
        first = next(iter(found)).splitlines()[0].replace("import { isCode }", wanted)
        bodies = [lines.split("\n", 1)[1] for lines in found]
        for lines in found:
            assert first == lines.splitlines()[0].replace("import { isCode }", wanted)
        functions = [
            f"export function use{n}(): void {{\n{b}\n}}\n"
            for n, b in enumerate(bodies)
        ]
        (tmp_path / f"{name}.ts").write_text(
            "".join([first, "\n", *functions]), encoding="utf-8"
        )
    (tmp_path / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    flags = [
        "--noEmit",
        "--strict",
        "--target",
        "es2022",
        "--module",
        "nodenext",
        "--types",
        "",
        "--lib",
        "es2022,dom",
        "--ignoreConfig",
    ]
    files = [tmp_path / f"{name}.ts" for name in NAMES]
    assert run_node(node_tools / "typescript/bin/tsc", *flags, *files) == ""


def test_lines_of_rust_are_sound(made: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """The compiler takes them, and warns of nothing."""
    members = []
    for name in NAMES:
        shutil.copytree(made / "rust" / name, tmp_path / name)
        base = view_of(text(name)).base.name
        body = "".join(
            f"pub fn use_{number}(error: &{name}_errors::{base}) {{\n{lines}\n}}\n"
            for number, lines in enumerate(uses(made, name)["Rust"].values())
        )
        file = tmp_path / name / "examples" / "use.rs"
        file.parent.mkdir()
        file.write_text(f"{body}fn main() {{}}\n", encoding="utf-8")
        members.append(name)
    (tmp_path / "Cargo.toml").write_text(
        f'[workspace]\nresolver = "2"\nmembers = {json.dumps(members)}\n',
        encoding="utf-8",
    )
    done = cargo(
        tmp_path,
        "check",
        "--examples",
        "--quiet",
        RUSTFLAGS="-D warnings -A deprecated",
    )
    assert done.returncode == 0, done.stderr


OWN = """\
errspec: 1
id: shop
title: Shop errors
version: 0.1.0
languages: [python]
base_class: ShopError
codes:
  GONE: {meaning: It is gone., retryable: false}
"""


@pytest.mark.parametrize(
    ("template", "status", "said"),
    [
        ("{% macro usage(code) %}\nask for {{ code.key }}\n{% endmacro %}", 0, ""),
        ("{% macro usage(code) %}{% endmacro %}", 0, ""),
        (
            "\n{% macro usage(code) %}{{ code.nme }}{% endmacro %}",
            2,
            "packs/own/u.j2:2:32: error[undefined]: a CodeView has no 'nme'",
        ),
        (
            "{{ view.id }}",
            2,
            "packs/own/pack.yaml:4:8: error[template-error]: it has no macro 'usage'",
        ),
        (
            "{% macro usage(code) %}{{ code.__class__ }}{% endmacro %}",
            2,
            "error[not-allowed]",
        ),
        (
            "{% macro usage(code) %}{% for a in range(99999) %}{% for b in range(99999) %}"
            "{% endfor %}{% endfor %}{% endmacro %}",
            2,
            "error[template-limit]",
        ),
        ("{% macro usage(", 2, "packs/own/u.j2:1:"),
        (None, 2, "pack.yaml:4:8: error[no-template]: 'u.j2' is not there"),
    ],
)
def test_a_pack_of_the_users_says_how_its_codes_are_used(
    template: str | None, status: int, said: str, tmp_path: pathlib.Path
) -> None:
    """In its sandbox, with each fault shown at its line."""
    pack = tmp_path / "packs" / "own"
    pack.mkdir(parents=True)
    (pack / "pack.yaml").write_text(
        "pack: 1\nlanguage: python\nfiles: [{to: a, text: a}]\nusage: u.j2\n",
        encoding="utf-8",
    )
    if template is not None:
        (pack / "u.j2").write_text(template, encoding="utf-8")
    (tmp_path / "shop.yaml").write_text(OWN, encoding="utf-8")
    (tmp_path / "errspec.yaml").write_text(
        "errspec: 1\ntemplates: [packs]\n"
        "catalogues: [{spec: shop.yaml, targets: [own, html]}]\n",
        encoding="utf-8",
    )
    done = errspec("generate", cwd=tmp_path)
    assert (done.returncode, "Traceback" in done.stderr) == (status, False), done.stderr
    assert said in done.stderr
    page = tmp_path / "generated" / "html" / "shop" / "index.html"
    assert page.exists() is (status == 0)
    if status == 0:
        wanted = "ask for" in (template or "")
        assert ("<code>ask for GONE</code>" in page.read_text("utf-8")) is wanted


def test_a_page_of_the_users_needs_an_index_for_the_site(
    tmp_path: pathlib.Path,
) -> None:
    """Without one the site cannot be; with one it is that one."""
    pack = tmp_path / "packs" / "html"
    pack.mkdir(parents=True)
    about = "pack: 1\nmarkup: html\nfiles: [{to: index.html, text: mine}]\n"
    (pack / "pack.yaml").write_text(about, encoding="utf-8")
    (tmp_path / "shop.yaml").write_text(OWN, encoding="utf-8")
    (tmp_path / "errspec.yaml").write_text(
        "errspec: 1\ntemplates: [packs]\ncatalogues: [{spec: shop.yaml}]\n",
        encoding="utf-8",
    )
    done = errspec("docs", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr == "errspec: the pack html has no index of its pages\n"
    (pack / "pack.yaml").write_text(f"{about}index: i.j2\n", encoding="utf-8")
    (pack / "i.j2").write_text("{{ views[0].title | text }}", encoding="utf-8")
    done = errspec("docs", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "errors-site/index.html").read_text("utf-8") == "Shop errors\n"
    assert (tmp_path / "errors-site/shop/index.html").read_text("utf-8") == "mine\n"
