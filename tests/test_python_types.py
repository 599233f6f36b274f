"""What type checkers and black say of the generated Python, and of code that uses it.

Each checker runs once, over a folder with all packages and all files of
tests/cases/python_types. In `bad` a line that ends in `# error` must be reported.
"""

from __future__ import annotations

import json
import keyword
import pathlib
import re
import shutil
import sys
from collections.abc import Callable
from types import ModuleType

import pytest

from errspec.diagnostics import Findings
from packages import generate
from support import CASES, CATALOGUES, compile_files, need, run

FILES = sorted((CASES / "python_types").glob("*/*.py"))
Reports = dict[str, dict[int, str]]
"""What a checker says, by file (relative to the folder) and line."""

HEAD = """
errspec: 1
title: Made by a test
version: 0.1.0
languages: [python]
class_per_code: true
"""

LONGEST_ID = 64


def lengths(size: int) -> str:
    """Write a catalogue of all features whose every name has that many characters."""
    text = (CASES / "catalogues" / "lengths.yaml").read_text()
    text = text.replace("id: <l>", f"id: {'l' * min(size, LONGEST_ID)}")
    return re.sub("<(.)>", lambda name: name[1] + name[1].lower() * (size - 1), text)


def hostile_names() -> str:
    """Write a catalogue whose fields have names that mean something in Python."""
    builtins = (
        "bool dict float int list object property str tuple type any super id self"
    )
    others = "args extra context one info error value key errors codes name args_tuple"
    words = [*keyword.kwlist, *keyword.softkwlist, *builtins.split(), *others.split()]
    names = dict.fromkeys(word.lower() for word in words if word != "_")
    fields = "".join(f"      {name}: {{type: string}}\n" for name in names)
    return f"""{HEAD}id: names
base_class: NamesError
codes:
  NAMED:
    meaning: Odd names.
    message: "{{class}} {{self}} {{list}}"
    retryable: {{rules: [{{when: {{class: a, self: b}}, then: true}}], else: false}}
    fields:
{fields}
  LISTED:
    meaning: Odd names of other types.
    retryable: false
    fields: {{tuple: {{type: {{list: integer}}}}, str: {{type: [a, b]}}, object: {{type: json}}}}
"""


TEXTS = {
    "no_codes": f"{HEAD}id: no_codes\nbase_class: NoError\ncodes: {{}}\n",
    "one_code": f"{HEAD}id: one_code\nbase_class: OneError\n"
    "codes: {ONLY: {retryable: true, meaning: One.}}\n",
    "no_verdict": f"{HEAD}id: no_verdict\nbase_class: NoError\n"
    "classes: {AnyError: {open: true, meaning: Any.}}\n"
    "codes: {ONLY: {class: AnyError, retryable: true, meaning: One.}}\n",
    "l": lengths(1),
    "l" * LONGEST_ID: lengths(70),
    "names": hostile_names(),
}
PACKAGES = [*CATALOGUES, *TEXTS]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A folder with all packages, and the files that use some of them."""
    folder = tmp_path_factory.mktemp("types")
    specs = dict(CATALOGUES)
    for name, text in TEXTS.items():
        specs[name] = folder / f"{name}.yaml"
        specs[name].write_text(text)
    for name in PACKAGES:
        root = generate(specs[name], tmp_path_factory.mktemp(name))
        shutil.move(root / f"{name}_errors", folder)
    for file in FILES:
        shutil.copy(file, folder)
    return folder


@pytest.fixture(scope="module")
def mypy(folder: pathlib.Path) -> Reports:
    """What mypy --strict reports."""
    tool = need("mypy")
    shown = ("--no-error-summary", "--show-absolute-path", "--hide-error-context")
    cache = f"--cache-dir={folder.parent / 'mypy'}"
    done = run(tool, "--strict", cache, *shown, ".", cwd=folder)
    reports: Reports = {}
    for line in done.stdout.splitlines():
        found = re.fullmatch(r"(.+?):(\d+): error: (.*)", line)
        assert found or ": note: " in line, line
        if found:
            path = str(pathlib.Path(found[1]).relative_to(folder))
            reports.setdefault(path, {})[int(found[2])] = found[3]
    assert done.returncode == (1 if reports else 0), done.stdout + done.stderr
    return reports


@pytest.fixture(scope="module")
def pyright(folder: pathlib.Path) -> Reports:
    """What pyright reports in its strict mode, warnings included."""
    tool = need("pyright")
    (folder / "pyrightconfig.json").write_text('{"typeCheckingMode": "strict"}')
    done = run(tool, "--pythonpath", sys.executable, "--outputjson", cwd=folder)
    reports: Reports = {}
    for report in json.loads(done.stdout)["generalDiagnostics"]:
        path = str(pathlib.Path(report["file"]).relative_to(folder))
        line = report["range"]["start"]["line"] + 1
        reports.setdefault(path, {})[line] = report["message"]
    return reports


@pytest.fixture(params=["mypy", "pyright"])
def reports(request: pytest.FixtureRequest) -> Reports:
    """What each checker reports."""
    found: Reports = request.getfixturevalue(request.param)
    return found


@pytest.mark.parametrize("name", PACKAGES)
def test_a_package_is_strictly_typed(reports: Reports, name: str) -> None:
    """Neither mypy --strict nor pyright in strict mode finds anything in a package."""
    found = {
        path: r for path, r in reports.items() if path.startswith(f"{name}_errors")
    }
    assert found == {}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_code_that_uses_a_package(reports: Reports, file: pathlib.Path) -> None:
    """A checker reports the lines that are marked, and nothing else: types narrow on
    `code`, and what a constructor does not take is refused."""
    lines = file.read_text("utf-8").splitlines()
    marked = {n for n, line in enumerate(lines, 1) if line.endswith("# error")}
    found = reports.get(file.name, {})
    assert bool(marked) is (file.parent.name == "bad")
    assert {n: found[n] for n in found if n not in marked} == {}
    assert {n: lines[n - 1] for n in marked if n not in found} == {}


def test_black_changes_nothing(folder: pathlib.Path) -> None:
    """Code is written as black formats it, whatever the length of names."""
    packages = [folder / f"{name}_errors" for name in PACKAGES]
    done = run(need("black"), "--check", "--diff", "--quiet", *packages)
    assert (done.stdout, done.returncode) == ("", 0)


ONE = "{retryable: true, meaning: One.}"
RECORD = "types: {%s: {fields: {x: {type: string}}}}\ncodes: {A: " + ONE + "}"
FIELDS = """
codes:
  A: {class: OddError, retryable: true, meaning: A., fields: {x: {type: string}}}
  B: {class: EvenError, retryable: true, meaning: B., fields: {x: {type: integer}}}
"""


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(RECORD % "Mapping", id="a record like an import"),
        pytest.param(RECORD % "KnownError", id="a record like a type"),
        pytest.param(RECORD % "TypeError", id="a record like a built-in"),
        pytest.param(FIELDS, id="a field with two types"),
    ],
)
def test_a_name_that_has_another_meaning_is_refused(
    text: str, tmp_path: pathlib.Path
) -> None:
    """A catalogue cannot take a name that the package needs for itself."""
    spec = tmp_path / "catalogue.yaml"
    spec.write_text(f"{HEAD}id: odd\nbase_class: OddError\n{text}\n")
    with pytest.raises(Findings):
        compile_files(spec, "python")


@pytest.mark.parametrize("code", ["codes", "by_text", "type_checking", "None"])
def test_a_code_may_be_called_like_something_of_the_package(
    python_package: Callable[[str], ModuleType], code: str
) -> None:
    """A code's name is given by the wire, so its constant is respelled instead."""
    package = python_package(
        f"{HEAD}id: odd\nbase_class: OddError\ncodes: {{{code}: {ONE}}}\n"
    )
    assert list(package.CODES) == [code]
    assert package.lookup(code).code == code
    upper = code.upper()
    name = f"{upper}_" if upper != "NONE" else upper
    assert getattr(package.codes, name) == code
