"""Packs of the user's own: data and templates, held to the same rules as ours."""

from __future__ import annotations

import pathlib

import pytest

from support import errspec

CATALOGUE = """\
errspec: 1
id: shop
title: Shop errors
version: 0.1.0
languages: [python]
base_class: ShopError
groups: {orders: {title: Orders}, money: {title: Money}}
codes:
  OUT_OF_STOCK: {group: orders, meaning: 'It holds {{ 7*7 }} of it.', retryable: false}
  UNPAID: {group: money, meaning: Nobody paid., retryable: true}
"""
CONFIG = """\
errspec: 1
templates: [packs]
catalogues: [{spec: shop.yaml, targets: [own]}]
"""


@pytest.fixture
def project(tmp_path: pathlib.Path) -> pathlib.Path:
    """A project with a pack of its own that a test fills in."""
    (tmp_path / "shop.yaml").write_text(CATALOGUE, encoding="utf-8")
    (tmp_path / "errspec.yaml").write_text(CONFIG, encoding="utf-8")
    (tmp_path / "packs/own").mkdir(parents=True)
    return tmp_path


def _pack(project: pathlib.Path, pack: str, template: str = "") -> None:
    folder = project / "packs/own"
    (folder / "pack.yaml").write_text(pack, encoding="utf-8")
    (folder / "x.j2").write_bytes(template.encode())


def test_a_pack_is_data_and_templates(project: pathlib.Path) -> None:
    """Files for the catalogue, each group or each code, with options, where wanted."""
    _pack(
        project,
        """\
pack: 1
options: {ending: {default: txt, pattern: "[a-z]+"}}
files:
  - {to: "all.{ending}", template: x.j2}
  - {to: "groups/{group}.txt", template: x.j2, each: group}
  - {to: "codes/{code}.txt", template: x.j2, each: code, when: item.verdict.default}
  - {to: never.txt, text: x, when: view.retry}
  - {to: fixed.txt, text: "a text"}
""",
        "{{ item.title is defined and item.title or item.key }}\r\n{% for code in view.codes %}\r\n"
        "{{ code.meaning }}\r\n{% endfor %}",
    )
    done = errspec("generate", cwd=project)
    assert done.returncode == 0, done.stderr
    out = project / "generated/own/shop"
    files = {p.relative_to(out).as_posix(): p.read_bytes() for p in out.rglob("*.txt")}
    meanings = b"It holds {{ 7*7 }} of it.\nNobody paid.\n"
    assert files == {
        "all.txt": b"Shop errors\n" + meanings,
        "groups/orders.txt": b"Orders\n" + meanings,
        "groups/money.txt": b"Money\n" + meanings,
        "codes/unpaid.txt": b"UNPAID\n" + meanings,
        "fixed.txt": b"a text\n",
    }


ONE = "pack: 1\nfiles: [{to: a.txt, template: x.j2}]\n"
FAULTS = {
    "an undefined name": (ONE, "\n{{ view.nothing }}", 2, "own/x.j2:2: UndefinedError"),
    "a syntax error": (ONE, "\n\n{% if %}", 2, "own/x.j2:3: "),
    "no such template": (ONE.replace("x.j2", "y.j2"), "", 2, "no template 'y.j2'"),
    "a template elsewhere": (ONE.replace("x.j2", "../x.j2"), "", 2, "no template"),
    "a private attribute": (ONE, "{{ view.__class__.__mro__ }}", 2, "own/x.j2:1: "),
    "a call that changes data": (ONE, "{{ [].append(1) }}", 2, "own/x.j2:1: Security"),
    "a loop without end": (
        ONE,
        "{% for i in range(9999999) %}{% endfor %}",
        2,
        "own/x.j2:1",
    ),
    "a path upward": (ONE.replace("a.txt", "../../a.txt"), "x", 2, "../../a.txt"),
    "an absolute path": (ONE.replace("a.txt", "/tmp/a.txt"), "x", 2, "/tmp/a.txt"),
    "one path twice": (
        "pack: 1\nfiles: [{to: a.txt, text: x}, {to: ./a.txt, text: y}]\n",
        "",
        2,
        "a.txt",
    ),
    "a placeholder of nothing": (
        ONE.replace("a.txt", "'{nothing}'"),
        "x",
        2,
        "{nothing}",
    ),
    "a misspelt key": ("pack: 1\nfils: []\n", "", 1, "did you mean files?"),
    "no language file": (
        "pack: 1\nlanguage: klingon\nfiles: [{to: a.txt, text: x}]\n",
        "",
        1,
        "no file describes the language 'klingon'",
    ),
    "no YAML": ("pack: [", "", 2, "never closed"),
    "a condition that fails": (
        "pack: 1\nfiles: [{to: a.txt, text: x, when: view.}]\n",
        "",
        2,
        "own/pack.yaml: when",
    ),
}


@pytest.mark.parametrize("case", FAULTS)
def test_a_fault_of_a_pack_is_one_clear_message_and_nothing_is_written(
    project: pathlib.Path, case: str
) -> None:
    """The message has the template's file and line; the output folder stays away."""
    pack, template, status, message = FAULTS[case]
    _pack(project, pack, template)
    done = errspec("generate", cwd=project)
    assert done.returncode == status
    assert message in done.stderr
    assert "Traceback" not in done.stderr and "internal error" not in done.stderr
    assert not (project / "generated").exists()


def test_a_pack_of_the_users_comes_before_a_built_in_one(project: pathlib.Path) -> None:
    """The same name in `templates` replaces ours."""
    (project / "packs/own").rename(project / "packs/markdown")
    (project / "packs/markdown/pack.yaml").write_text(
        "pack: 1\nfiles: [{to: own.md, text: mine}]\n", encoding="utf-8"
    )
    config = CONFIG.replace("[own]", "[markdown]")
    (project / "errspec.yaml").write_text(config, encoding="utf-8")
    assert errspec("generate", cwd=project).returncode == 0
    files = [p.name for p in (project / "generated/markdown/shop").iterdir()]
    assert files == ["own.md"]
