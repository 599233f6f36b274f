"""Packs of the user's own: data and templates, held to the same rules as ours."""

from __future__ import annotations

import contextlib
import pathlib
import re
import resource
import shutil
from collections.abc import Iterator

import pytest

from errspec.cli import main
from errspec.config import Config, Entry
from errspec.project import Project
from errspec.sandbox import meter
from support import CASES, ROOT, compile_files, errspec

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


def _pack_file(project: pathlib.Path, pack: str) -> None:
    (project / "packs/own/pack.yaml").write_text(pack, encoding="utf-8")


def _pack(project: pathlib.Path, pack: str, template: str | bytes = "") -> None:
    _pack_file(project, pack)
    data = template if isinstance(template, bytes) else template.encode()
    (project / "packs/own/x.j2").write_bytes(data)


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


def _written(project: pathlib.Path, template: str | bytes) -> bytes:
    """Generate from one template and return what it wrote."""
    _pack(project, ONE, template)
    done = errspec("generate", cwd=project)
    assert done.returncode == 0, done.stderr
    return (project / "generated/own/shop/a.txt").read_bytes()


def _refused(project: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> str:
    """Return the one error that generating ends with, having written nothing."""
    with pytest.raises(SystemExit) as stop:
        main(["generate"])
    said = capsys.readouterr().err
    assert stop.value.code == 2, said
    assert said.endswith("\n1 error\n") and said.count(": error[") == 1, said
    assert "Traceback" not in said and "internal error" not in said
    assert not (project / "generated").exists()
    return said


@contextlib.contextmanager
def _memory(more: int) -> Iterator[None]:
    """Let this process take so many bytes more than it has, where that can be said."""
    status = pathlib.Path("/proc/self/statm")
    if not status.exists():
        yield
        return
    before = resource.getrlimit(resource.RLIMIT_AS)
    pages = int(status.read_text(encoding="ascii").split()[0])
    limit = pages * resource.getpagesize() + more
    resource.setrlimit(resource.RLIMIT_AS, (limit, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


DOUBLING = (
    "{% set n = namespace(x=START) %}{% for i in range(99) %}{% set n.x = NEXT %}"
)
ATTACKS = {
    # Each is one line of a template, and what the error is called.
    "a long list": ("{{ [1] * 10 ** 9 }}", "limit"),
    "a width in a method": ("{{ 'a'.ljust(10 ** 9) }}", "limit"),
    "a width of many": ("{{ '%*d' % (10 ** 9, 1) }}", "limit"),
    "a width in a filter": ("{{ '%1000000000d' | format(1) }}", "limit"),
    "a width through map": ("{{ ['a'] | map('center', 10 ** 9) | list }}", "limit"),
    "a deep indent": ("{{ 'a' | indent(10 ** 9, true) }}", "limit"),
    "padding of a list": ("{{ [1] | batch(10 ** 9, 0) | list }}", "limit"),
    "slices of nothing": ("{{ [1] | slice(10 ** 9) | list }}", "limit"),
    "digits": ("{{ 1.5 | round(10 ** 9) }}", "limit"),
    "replacing nothing": ("{{ ('x' * 9999) | replace('', 'y' * 99999) }}", "limit"),
    "replacing by method": ("{{ ('x' * 9999).replace('', 'y' * 99999) }}", "limit"),
    "joining": ("{{ range(99999) | join('y' * 99999) }}", "limit"),
    "joining by method": ("{{ ('y' * 99999).join(['z'] * 99999) }}", "limit"),
    "wrapping": ("{{ ('x' * 9999) | wordwrap(1, true, 'y' * 99999) }}", "limit"),
    "texts that double": (DOUBLING.replace("START", "'xx'") + "n.x ~ n.x", "limit"),
    "sums that double": (DOUBLING.replace("START", "'xx'") + "n.x + n.x", "limit"),
    "lists that double": (DOUBLING.replace("START", "'xx'") + "[n.x, n.x]", "limit"),
    "tuples that double": (DOUBLING.replace("START", "'xx'") + "(n.x, n.x)", "limit"),
    "mappings that double": (
        DOUBLING.replace("START", "'xx'") + "{1: n.x, 2: n.x}",
        "limit",
    ),
    "numbers that square": (DOUBLING.replace("START", "9") + "n.x * n.x", "limit"),
    "powers of powers": (DOUBLING.replace("START", "9") + "n.x ** 9", "limit"),
    "a list in itself": ("{% set x = [] %}{% do x.append(x) %}{{ x }}", "limit"),
    "a macro of two branches": (
        "{% macro m(n) %}{% if n %}{{ m(n - 1) }}{{ m(n - 1) }}{% endif %}{% endmacro %}"
        "{{ m(60) }}",
        "limit",
    ),
    "a long macro in a loop": (
        "{% macro m() %}" + "{% if view %}{% endif %}" * 4000 + "{% endmacro %}"
        "{% for i in range(99999) %}{{ m() }}{% endfor %}",
        "limit",
    ),
    "a block in itself": ("{% block b %}{{ self.b() }}{% endblock %}", "limit"),
    "an import of itself": ("{% import 'x.j2' as x %}", "limit"),
    "an extension of itself": ("{% extends 'x.j2' %}", "limit"),
    "a loop in itself": (
        "{% for x in [1, 2] recursive %}{{ loop([1, 2]) }}{% endfor %}",
        "limit",
    ),
    "much text in a loop": (
        "{% for i in range(99999) %}" + "x" * 999 + "{% endfor %}",
        "limit",
    ),
    "much work in a loop": (
        "{% for i in range(99999) %}{{ view | vectors | length }}{% endfor %}",
        "limit",
    ),
    "comparing in a loop": (
        "{% set x = [1] * 99999 %}{% for i in range(999) %}{% if x == x[:] %}{% endif %}"
        "{% endfor %}",
        "limit",
    ),
    "a list that grows in its loop": (
        "{% set x = [1] %}{% for i in x %}" + "x" * 9999 + "{% do x.append(1) %}"
        "{% do x.append(1) %}{% endfor %}{{ x[5] }}",
        "undefined",
    ),
    "a loop in itself that does little": (
        "{% for x in [1, 2] recursive %}" + "x" * 99999 + "{% if loop.depth < 99 %}"
        "{{ loop([1, 2]) }}{% endif %}{% endfor %}",
        "limit",
    ),
    "a deep attribute": (
        "{{ range(20000) | map('json') | map(attribute=('0.' * 99999) ~ '0') | list }}",
        "limit",
    ),
    "many attributes": (
        "{{ ['a', 'b'] | sort(attribute=('0,' * 99999) ~ '0') }}",
        "limit",
    ),
    "a deep attribute to select by": (
        "{{ ['a'] | selectattr(('0.' * 99999) ~ '0') | list }}",
        "limit",
    ),
    "a number of many digits": ("{{ ('f' * 4000000) | int(0, 16) % 7 }}", "limit"),
    "digits before the point": ("{{ 1 | round(-4000) }}", "limit"),
    "equal lists of long texts": (
        "{% set x = ['a' * 99999] * 9999 %}{% if x == x[:] %}{% endif %}",
        "limit",
    ),
    "a search among long texts": (
        "{% set x = ['a' * 99999] * 9999 %}{{ x.index('b') }}",
        "limit",
    ),
    "a text in a list of long ones": (
        "{% set x = ['a' * 99999] * 9999 %}{% if 'b' in x %}{% endif %}",
        "limit",
    ),
    "joining what a filter gives": (
        "{{ ('a' * 1000000).join(range(1500) | map('json')) }}",
        "limit",
    ),
    "an indent of odd lines": ("{{ ('x\x0b' * 99999) | indent(8000) }}", "limit"),
    "a comment of many lines": ("{{ ('a ' * 100000) | doc(8000) }}", "limit"),
    "comments of a list": ("{{ (['a'] * 99999) | comment(8000) }}", "limit"),
    "a long text": ("{{ 'x' * 2 ** 26 }}", "limit"),
    "an address between": ("{{ [1, 2] | join(range) }}", "template-error"),
    "an address as a form": ("{{ range | format }}", "template-error"),
    "an address instead": ("{{ 'a' | replace('a', range) }}", "template-error"),
    "an address as JSON": ("{{ [range] | json }}", "template-error"),
    "a literal of an object": ("{{ view | literal }}", "template-error"),
    "a number without end": ("{{ 1e400 }}", "template-syntax"),
    "a test that lacks something": ("{{ view.id is sameas }}", "template-error"),
    "many brackets": ("{{ " + "(" * 999 + ")" * 999 + " }}", "limit"),
    "many conditions": ("{% if 1 %}" * 150 + "{% endif %}" * 150, "limit"),
    "many loops": ("{% for i in [1] %}" * 25 + "{% endfor %}" * 25, "limit"),
    "a class": ("{{ view.__class__.__mro__ }}", "not-allowed"),
    "a class by its key": ("{{ view['__class__'] }}", "not-allowed"),
    "a class by a filter": ("{{ [view] | map(attribute='__class__') | list }}", "not-"),
    "a method's function": ("{{ view.name.__func__.__globals__ }}", "not-allowed"),
    "a macro's insides": (
        "{% macro m() %}{% endmacro %}{{ m._func.__globals__ }}",
        "not-allowed",
    ),
    "a context": ("{{ self._TemplateReference__context }}", "not-allowed"),
    "a format of a text": ("{{ '{0:1000000000}'.format(1) }}", "not-allowed"),
    "a format of a mapping": (
        "{{ '{a.__class__}'.format_map({'a': 1}) }}",
        "not-allow",
    ),
    "bytes": ("{{ 'x'.encode() }}", "not-allowed"),
    "bytes of a number": ("{{ (5).to_bytes(10 ** 9) }}", "not-allowed"),
    "appending to a View's": ("{{ view.codes.append(1) }}", "undefined"),
    "emptying a View's": ("{% do view.catalogue.codes.clear() %}", "not-allowed"),
    "setting a View's": ("{% set view.id = 'x' %}", "template-error"),
    "what makes strings": (
        "{{ view.languages.python.language.strings.from_data({}) }}",
        "not-allowed",
    ),
    "a language's data": ("{{ view.languages.python.language.data }}", "not-allowed"),
    "a copy by a method": ("{{ view.base.__replace__(name='x').name }}", "not-allowed"),
    "a random choice": ("{{ [1, 2] | random }}", "template-syntax"),
    "random words": ("{{ lipsum() }}", "undefined"),
    "an address": ("{{ view }}", "template-error"),
    "an address in a list": ("{{ [view.name] }}", "template-error"),
    "an address, joined": ("{{ view.codes | join }}", "template-error"),
    "an address, glued": ("{{ 'x' ~ view }}", "template-error"),
    "an address, formatted": ("{{ '%s' % view }}", "template-error"),
    "an address, filtered": ("{{ view | upper }}", "template-error"),
    "an address, as text": ("{{ view | string }}", "template-error"),
    "half a character": (r"{{ '\ud800' }}", "template-error"),
    "an error of Python's": ("{{ 1 / 0 }}", "template-error"),
    "lists, added up": ("{{ [[1], [2]] | sum(start=[]) }}", "template-error"),
}


@pytest.mark.parametrize("case", ATTACKS)
def test_no_template_gets_out_or_goes_on_without_end(
    project: pathlib.Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    case: str,
) -> None:
    """One error at the template's line, in no more memory than a common run takes."""
    template, id = ATTACKS[case]
    if "n.x" in template:
        template = template.replace("NEXT %}", "") + " %}{% endfor %}"
    spoken = any(f"| {name}" in template for name in ("doc", "comment", "literal"))
    _pack(project, ONE + "language: python\n" * spoken, f"\n{template}")
    monkeypatch.chdir(project)
    with _memory(256 * 2**20):
        said = _refused(project, capsys)
    assert "memory" not in said, "stopped by the machine, not by the sandbox"
    assert said.startswith("packs/own/x.j2:2:")
    assert f"[{id}" in said or f"[template-{id}" in said


def test_the_sandbox_takes_nothing_from_what_templates_need(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Our own packs, as packs of the user's, write the same in a tenth of the steps."""
    monkeypatch.setattr(meter, "STEPS", meter.STEPS // 10)
    monkeypatch.setattr(meter, "STEPS_PER_CODE", meter.STEPS_PER_CODE // 10)
    names = ("python", "typescript", "markdown", "json")
    for name in names:
        shutil.copytree(ROOT / "templates" / name, tmp_path / name)
    for name in ("family", "sink"):
        spec = CASES / "catalogues" / f"{name}.yaml"
        entry = Entry(spec, "catalogue.yaml", names)
        project = Project(
            Config(pathlib.Path(), pathlib.Path("generated"), (entry,), (tmp_path,))
        )
        assert not any(project.library.pack(name).trusted for name in names)
        theirs = [package for _, package in project.packages(project.load_all())]
        assert theirs == compile_files(spec, *names)


TEXTS = {
    "CRLF": b"a {{ view.id }}\r\n{% if true %}\r\nb\r\n{% endif %}\r\n",
    "CR": b"a {{ view.id }}\r{% if true %}\rb\r{% endif %}\r",
    "no newline at the end": b"a {{ view.id }}\nb",
    "many newlines at the end": b"a {{ view.id }}\nb\n\n\r\n",
    "a byte order mark": b"\xef\xbb\xbfa {{ view.id }}\nb\n",
    "a mark and a tag": b"\xef\xbb\xbf{% if true %}\na {{ view.id }}\nb\n{% endif %}\n",
    "a line end in an expression": b"a {{ view.id ~ '\\r\\n' }}b\r",
}


@pytest.mark.parametrize("case", TEXTS)
def test_however_a_template_is_saved(project: pathlib.Path, case: str) -> None:
    """The output has LF, one at its end, and no mark."""
    assert _written(project, TEXTS[case]) == b"a shop\nb\n"


def test_a_template_may_fill_lists_and_mappings_of_its_own(
    project: pathlib.Path,
) -> None:
    """What it may not is change those of the View."""
    template = """\
{% set seen = [] %}
{% set named = {} %}
{% for code in view.codes %}
{% do seen.append(code.key) %}
{% do named.update({code.key: loop.index}) %}
{% endfor %}
{{ seen | join(", ") }} {{ named.UNPAID }} {{ dict(a=1) | length }} {{ "%03d" % 7 }}
{{ view.codes | map(attribute="key") | sort | first | lower | center(16) }}|
{{ (view.codes | groupby("meaning") | first).list | length }} {{ range(5) | sum }}
"""
    assert _written(project, template) == (
        b"OUT_OF_STOCK, UNPAID 2 1 007\n  out_of_stock  |\n1 10\n"
    )


SETS = {
    "joined": "view.languages.python.extended | join(',')",
    "as JSON": "view.languages.python.extended | json",
    "looped over": "view.languages.python.extended | map('json') | list",
    "by attr": "view.languages.python | attr('extended') | list",
    "by map": "[view.languages.python] | map(attribute='extended') | first | list",
}


@pytest.mark.parametrize("case", SETS)
def test_sets_have_an_order_in_a_template(project: pathlib.Path, case: str) -> None:
    """The same one in every run, whatever the hash seed."""
    spec = (
        CATALOGUE
        + "classes:\n"
        + "".join(
            f"  {name}: {{extends: {parent}, abstract: true, meaning: It is.}}\n"
            for parent, name in zip(
                ("ShopError", *(f"{c}Error" for c in "ABCDEF")),
                (f"{c}Error" for c in "ABCDEFG"),
                strict=True,
            )
        )
    )
    (project / "shop.yaml").write_text(spec, encoding="utf-8")
    names = re.findall(
        "[A-Z]+[a-z]*Error", _written(project, f"{{{{ {SETS[case]} }}}}").decode()
    )
    assert len(names) == 7 and names == sorted(names)


def test_templates_are_not_larger_than_what_compiles_soon(
    project: pathlib.Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """One of too many bytes is refused, and so are many that have as many together."""
    monkeypatch.chdir(project)
    _pack(project, ONE, "{{ view.id }}" * 30_000)
    assert "is larger than 256 KiB" in _refused(project, capsys)
    _pack(project, ONE, "{% include 'y.j2' %}{% include 'z.j2' %}")
    for name in "yz":
        (project / f"packs/own/{name}.j2").write_text("x" * 150_000, encoding="utf-8")
    said = _refused(project, capsys)
    assert "the templates of this pack are larger than 256 KiB" in said
    assert "error[template-limit]" in said


def test_what_a_pack_writes_is_limited_in_all(
    project: pathlib.Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """In one file or in several, from templates or not."""
    monkeypatch.chdir(project)
    monkeypatch.setattr(meter, "MAX_OUTPUT", 10_000)
    monkeypatch.setattr(meter, "MAX_OUTPUT_PER_CODE", 1_000)
    two = "pack: 1\nfiles: [{to: a.txt, template: x.j2}, {to: b.txt, template: x.j2}]\n"
    _pack(project, ONE, "x" * 13_000)
    assert "writes too much: over 12,000 characters" in _refused(project, capsys)
    _pack(project, two, "x" * 7_000)
    assert "writes too much" in _refused(project, capsys)
    _pack_file(project, f"pack: 1\nfiles: [{{to: a.txt, text: {'x' * 13_000}}}]\n")
    assert "writes too much" in _refused(project, capsys)


NOWHERE = {
    "groupby": "view.codes | groupby('nosuch') | list | length",
    "groupby of one": "view.codes[:1] | groupby('nosuch') | list | length",
    "sort": "view.codes[:1] | sort(attribute='key,nosuch') | length",
    "min": "(view.codes[:1] | min(attribute='nosuch')).key",
    "max": "(view.codes[:1] | max(attribute='nosuch')).key",
    "unique": "view.codes[:1] | unique(attribute='nosuch') | list | length",
    "map": "view.codes | map(attribute='nosuch') | list | length",
}


@pytest.mark.parametrize("case", NOWHERE)
def test_an_attribute_that_a_filter_is_told_must_be_there(
    project: pathlib.Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    case: str,
) -> None:
    """However many values there are, and whether or not they are looked at."""
    monkeypatch.chdir(project)
    _pack(project, ONE, f"{{{{ {NOWHERE[case]} }}}}")
    assert "error[undefined]: a CodeView has no 'nosuch'" in _refused(project, capsys)


LINKS = {
    "a file": ("secret.txt", "x.j2"),
    "a folder": (".", "up/secret.txt"),
    "a device": ("/dev/zero", "x.j2"),
    "itself": ("packs/own/x.j2", "x.j2"),
}


@pytest.mark.parametrize("case", LINKS)
def test_a_template_that_is_a_link_out_of_its_pack_is_refused(
    project: pathlib.Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    case: str,
) -> None:
    """What lies elsewhere on the machine gets into no output, whoever links to it."""
    target, name = LINKS[case]
    (project / "secret.txt").write_text("secret", encoding="utf-8")
    pack = ONE.replace("x.j2", name)
    (project / "packs/own/pack.yaml").write_text(pack, encoding="utf-8")
    link = project / "packs/own" / name.partition("/")[0]
    link.symlink_to(project / target)
    monkeypatch.chdir(project)
    said = _refused(project, capsys)
    assert said.startswith("packs/own/pack.yaml:2:")
    assert "out of the pack's folder" in said or "is not there" in said
    # From another template, the error is at its line.
    _pack_file(project, ONE.replace("x.j2", "y.j2"))
    (project / "packs/own/y.j2").write_text(f"\n{{% include {name!r} %}}", "utf-8")
    assert _refused(project, capsys).startswith("packs/own/y.j2:2:13: error[no-templ")


def test_a_pack_may_be_a_link_and_have_links_inside(project: pathlib.Path) -> None:
    """Only what a link leads to counts: it stays in the folder of the pack."""
    (project / "packs/own").rename(project / "elsewhere")
    (project / "packs/own").symlink_to(project / "elsewhere")
    (project / "elsewhere/y.j2").write_text("fine", encoding="utf-8")
    (project / "elsewhere/x.j2").symlink_to("y.j2")
    _pack_file(project, ONE)
    assert errspec("generate", cwd=project).returncode == 0
    written = project / "generated/own/shop/a.txt"
    assert written.read_text(encoding="utf-8") == "fine\n"


def test_an_output_that_leads_out_of_the_output_folder_is_refused(
    project: pathlib.Path,
) -> None:
    """A link in `generated` writes nothing elsewhere, nor two packs into one file."""
    assert _written(project, "one") == b"one\n"
    file = project / "generated/own/shop/a.txt"
    file.unlink()
    file.symlink_to(project / "shop.yaml")
    done = errspec("generate", cwd=project)
    assert done.returncode == 2
    assert "generated/own/shop/a.txt: a link leads outside generated" in done.stderr
    shutil.copytree(project / "packs/own", project / "packs/two")
    (project / "errspec.yaml").write_text(CONFIG.replace("own", "own, two"), "utf-8")
    shutil.rmtree(project / "generated")
    (project / "generated/two/shop").mkdir(parents=True)
    (project / "generated/own").symlink_to("two")
    done = errspec("generate", cwd=project)
    assert done.returncode == 2
    assert "own/shop/a.txt and two/shop/a.txt are one file, through a link" in (
        done.stderr.replace(
            "two/shop/a.txt and own/shop/a.txt", "own/shop/a.txt and two/shop/a.txt"
        )
    )
    assert not list((project / "generated/two/shop").iterdir())


def test_compiled_templates_beside_a_pack_of_the_users_are_not_loaded(
    project: pathlib.Path,
) -> None:
    """Bytecode runs outside of the sandbox: only that of our own packs is read."""
    template = ROOT / "templates" / "markdown"
    errspec("generate", "--dry-run", cwd=ROOT)
    cache = project / "packs/own/__pycache__"
    shutil.copytree(template / "__pycache__", cache, dirs_exist_ok=True)
    before = sorted(cache.iterdir())
    assert _written(project, "mine") == b"mine\n"
    assert sorted(cache.iterdir()) == before


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
