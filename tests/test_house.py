"""The laws of the house that a machine can check."""

from __future__ import annotations

import ast
import json
import pathlib
from collections.abc import Iterator
from typing import Any

import jsonschema_rs
import pytest

from errspec import source
from support import ROOT, run

PACKAGE = ROOT / "generator" / "errspec"
ROOMS = [
    "diagnostics",
    "resources",
    "naming",
    "escapes",
    "literals",
    "markup",
    "source",
    "schema",
    "model",
    "build",
    "languages",
    "manifest",
    "forms",
    "packs",
    "view",
    "words",
    "selection",
    "judge",
    "vectors",
    "problems",
    "resolved",
    "rules",
    "compat",
    "git",
    "sandbox",
    "builtin",
    "templates",
    "faults",
    "filling",
    "render",
    "manifest",
    "hunks",
    "disk",
    "owner",
    "lock",
    "output",
    "config",
    "inputs",
    "options",
    "project",
    "site",
    "rulebook",
    "inject",
    "report",
    "formats",
    "explain",
    "listing",
    "scaffold",
    "watch",
    "terminal",
    "cli",
    "__main__",
]
"""Every room, in the order in which they may import each other."""

LANGUAGES = [p.stem for p in (ROOT / "templates" / "languages").glob("*.yaml")]
MODULES = sorted(PACKAGE.rglob("*.py"))


def _room(path: pathlib.Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def _imports(path: pathlib.Path) -> Iterator[str]:
    """Yield the rooms that a module imports."""
    depth = len(path.relative_to(PACKAGE).parts)
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level == depth:
            names = [node.module] if node.module else [a.name for a in node.names]
            yield from (n.partition(".")[0] for n in names)


@pytest.mark.parametrize(
    "path", MODULES, ids=lambda p: p.relative_to(PACKAGE).as_posix()
)
def test_a_room_imports_only_from_its_left(path: pathlib.Path) -> None:
    """The way through the house is one way, so that a newcomer can walk it."""
    if path.name == "__init__.py" and path.parent == PACKAGE:
        return
    own = ROOMS.index(_room(path))
    right = {n for n in _imports(path) if n in ROOMS and ROOMS.index(n) > own}
    assert not right, f"{_room(path)} imports {right}"


@pytest.mark.parametrize(
    "path", MODULES, ids=lambda p: p.relative_to(PACKAGE).as_posix()
)
def test_no_module_names_a_language(path: pathlib.Path) -> None:
    """A language is data: adding one takes no change in the generator."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    docs = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    texts = (
        node.value.casefold()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and id(node) not in docs
    )
    assert not [t for t in texts if any(name in t for name in LANGUAGES)]


def test_only_the_command_line_prints_and_exits() -> None:
    """Stages return diagnostics or raise; they never talk."""
    for path in MODULES:
        if _room(path) in ("cli", "terminal"):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                called = ast.unparse(node.func)
                assert called not in ("print", "exit", "sys.exit", "click.echo"), path


def test_nothing_in_the_repository_names_this_machine_or_a_registry() -> None:
    """What is committed works anywhere: no absolute path, no download address."""
    tracked = run("git", "ls-files", "-z", cwd=ROOT)
    if tracked.returncode:
        pytest.skip("not a git checkout")
    here = f"{ROOT.as_posix()}/"
    for name in tracked.stdout.split("\0"):
        path = ROOT / name
        if name and path.is_file() and path != pathlib.Path(__file__):
            text = path.read_bytes()
            assert here.encode() not in text, name
            assert b"registry.npm" not in text and b"pypi." not in text, name


SCHEMAS = sorted((ROOT / "spec").glob("*.schema.json"))


def _objects(schema: Any, where: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every object schema of a JSON Schema, with its place."""
    if isinstance(schema, dict):
        yield where, schema
        for key, inner in schema.items():
            yield from _objects(inner, f"{where}/{key}")


@pytest.mark.parametrize("path", SCHEMAS, ids=lambda p: p.name)
def test_a_schema_describes_every_property_and_closes_every_object(
    path: pathlib.Path,
) -> None:
    """Editors show the descriptions; a misspelt key never passes."""
    schema = json.loads(path.read_text(encoding="utf-8"))
    for where, found in _objects(schema):
        if where.endswith("/properties"):
            assert all("description" in p for p in found.values()), where
        elif found.get("type") == "object" and not where.endswith("/if"):
            assert "additionalProperties" in found or "propertyNames" in found, where


def test_the_catalogues_satisfy_the_published_schema_as_any_validator_reads_it() -> (
    None
):
    """The schema means the same to editors as to errspec."""
    schema = json.loads((ROOT / "spec/catalogue.schema.json").read_text("utf-8"))
    validator = jsonschema_rs.Draft202012Validator(schema)
    for path in (ROOT / "spec").glob("*.yaml"):
        assert validator.is_valid(source.read(path).data)
