"""How large a catalogue may be: what is refused, and that the rest compiles."""

from __future__ import annotations

import pathlib

import pytest

from errspec.config import Config, Entry
from errspec.project import Project
from support import compile_files

HEAD = (
    "errspec: 1\nid: big\ntitle: Big\nversion: 0.1.0\nlanguages: [python, typescript]\n"
    "base_class: BigError\n"
)


def nested(count: int, field: str = "a: {type: %s}", *more: str) -> str:
    """Return a catalogue of records, each with fields of the one before it."""
    types = ""
    for n in range(count):
        inner = f"R{n - 1}" if n else "string"
        types += (
            f"  R{n}: {{fields: {{{', '.join(f % inner for f in (field, *more))}}}}}\n"
        )
    return (
        f"{HEAD}types:\n{types}codes:\n  ONE: {{meaning: Just one., retryable: false,"
        f" fields: {{r: {{type: R{count - 1}}}}}}}\n"
    )


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (nested(50), []),
        (nested(51), ["R50 holds records more than 50 deep"]),
        (
            nested(1102),
            [f"R{n} holds records more than 50 deep" for n in range(50, 1102, 51)],
        ),
        (nested(1000, "a: {type: %s, optional: true}"), []),
        (nested(1000, "a: {type: {list: %s}}"), []),
        (nested(12, "a: {type: %s}", "b: {type: %s}"), []),
        (
            nested(14, "a: {type: %s}", "b: {type: %s}"),
            ["R13 holds more than 10,000 values"],
        ),
    ],
    ids=["50", "51", "1102", "optional", "list", "4096 values", "16384 values"],
)
def test_records_in_records_are_refused_or_compile(
    text: str, found: list[str], tmp_path: pathlib.Path
) -> None:
    """What would nest too deep, or double level by level, is told; all else is written."""
    spec = tmp_path / "catalogue.yaml"
    spec.write_text(text)
    project = Project(Config(tmp_path, tmp_path / "out", ()))
    loaded = project.load(Entry(spec, spec.name))
    assert [d.message for d in loaded.diagnostics] == found
    if not found:
        compile_files(spec, "python", "typescript", "markdown", "json")
