"""The criogen catalogue against the contract it states, and what its packages make of it.

Everything expected in here was typed by hand from the contract, never taken from the
catalogue: a slip in spec/criogen.yaml and a slip in here would have to be the same one.
"""

from __future__ import annotations

import json
import pathlib
import re
from collections.abc import Iterator
from types import ModuleType
from typing import Any, NamedTuple

import pytest

from errspec.config import Config, Entry
from errspec.judge import Judge
from errspec.model import Catalogue
from errspec.project import Project
from errspec.view import View
from javascript import catalogue as text_of
from javascript import generate as generate_typescript
from javascript import run_node
from packages import generate, imported
from support import errspec

SPEC = pathlib.Path(__file__).parent.parent / "spec" / "criogen.yaml"

CRIOGEN = "CriogenError"
LIMIT = "LimitExceededError"
CANCELLED = "CancelledError"
VALIDATION = "ValidationError"
STORAGE = "StorageError"
MODEL = "ModelError"
TOOL = "ToolExecutionError"
BUSY = "ThreadBusyError"
SUSPENDED = "ThreadSuspendedError"
NONE = None
"""The dash of the contract: no class of its own."""


class Row(NamedTuple):
    """One row of the contract's tables."""

    key: str
    retryable: bool | None
    """None: it depends."""
    cls: str | None
    http: int | None = None


# Group titles and rows, both in the contract's order. The fifth table lost its heading
# there, and the HTTP statuses stand in two tables only.
TABLES: dict[str, tuple[Row, ...]] = {
    "Run errors": (
        Row("node_failed", False, CRIOGEN),
        Row("node_panicked", False, CRIOGEN),
        Row("node_timeout", True, CRIOGEN),
        Row("router_failed", False, CRIOGEN),
        Row("unknown_route", False, CRIOGEN),
        Row("missing_goto", False, CRIOGEN),
        Row("memo_type_mismatch", False, CRIOGEN),
        Row("update_conflict", False, CRIOGEN),
        Row("step_limit_exceeded", False, LIMIT),
        Row("deadline_exceeded", False, LIMIT),
        Row("cancelled", True, CANCELLED),
        Row("invalid_value", False, VALIDATION),
        Row("resume_invalid", False, VALIDATION),
        Row("workflow_mismatch", False, VALIDATION),
        Row("storage_failed", True, STORAGE),
        Row("model_failed", None, MODEL),
        Row("tool_failed", False, TOOL),
        Row("limit_exceeded", False, LIMIT),
        Row("output_invalid", False, CRIOGEN),
        Row("hook_failed", False, CRIOGEN),
        Row("invalid_state", False, VALIDATION),
        Row("invalid_input", False, VALIDATION),
        Row("audit_failed", True, STORAGE),
    ),
    "Thread errors": (
        Row("thread_busy", True, BUSY),
        Row("thread_suspended", False, SUSPENDED),
        Row("thread_interrupted", False, CRIOGEN),
    ),
    "Storage errors": (
        Row("invalid_value", False, VALIDATION),
        Row("audit_failed", True, STORAGE),
        Row("thread_busy", True, BUSY),
        Row("storage_unavailable", True, STORAGE),
        Row("storage_conflict", True, STORAGE),
        Row("checkpoint_not_found", False, STORAGE),
        Row("storage_corrupt", False, STORAGE),
        Row("storage_incompatible", False, STORAGE),
        Row("encryption_key_missing", False, STORAGE),
        Row("encryption_key_invalid", False, STORAGE),
    ),
    "Model errors": (
        Row("rate_limited", True, NONE, 429),
        Row("overloaded", True, NONE, 503),
        Row("server", True, NONE, 502),
        Row("timeout", True, NONE, 504),
        Row("network", True, NONE, 502),
        Row("auth", False, NONE, 502),
        Row("permission", False, NONE, 502),
        Row("not_found", False, NONE, 502),
        Row("invalid_request", False, NONE, 400),
        Row("context_overflow", False, NONE, 400),
        Row("content_filter", False, NONE, 400),
        Row("quota_exhausted", False, NONE, 502),
        Row("invalid_response", False, NONE, 502),
        Row("unknown", False, NONE, 502),
    ),
    "Tool message errors": (
        Row("cancelled", True, CANCELLED),
        Row("tool_failed", False, TOOL),
        Row("timeout", True, NONE, 504),
        Row("invalid_arguments", False, NONE),
        Row("unknown_tool", False, NONE),
        Row("tool_error", False, NONE),
    ),
    "Build errors": (
        Row("invalid_agent", False, VALIDATION),
        Row("invalid_workflow", False, VALIDATION),
        Row("unsupported", False, CRIOGEN),
        Row("mcp_connect", False, CRIOGEN),
        Row("mcp_protocol", False, CRIOGEN),
        Row("mcp_tool_name", False, CRIOGEN),
        Row("mcp_tool_schema", False, CRIOGEN),
        Row("mcp_timeout", True, CRIOGEN),
        Row("mcp_closed", False, CRIOGEN),
        Row("eval_failed", False, CRIOGEN),
    ),
    "Gateway errors": (
        Row("invalid_request", False, NONE, 400),
        Row("invalid_api_key", False, NONE, 401),
        Row("model_not_found", False, NONE, 404),
        Row("key_rate_limited", True, NONE, 429),
        Row("concurrency_limited", True, NONE, 429),
        Row("budget_exceeded", False, NONE, 429),
    ),
}
ROWS = tuple({row.key: row for rows in TABLES.values() for row in rows}.values())
CLASSLESS = tuple(row.key for row in ROWS if row.cls is NONE)

# Codes of two tables, with both.
TWICE = {
    "cancelled": ("Run errors", "Tool message errors"),
    "invalid_value": ("Run errors", "Storage errors"),
    "tool_failed": ("Run errors", "Tool message errors"),
    "audit_failed": ("Run errors", "Storage errors"),
    "thread_busy": ("Thread errors", "Storage errors"),
    "timeout": ("Model errors", "Tool message errors"),
    "invalid_request": ("Model errors", "Gateway errors"),
}

# Codes that a judgement by HTTP status would get wrong: with their status, its answer,
# and their own.
AGAINST_STATUS = (
    ("auth", 502, True, False),
    ("permission", 502, True, False),
    ("not_found", 502, True, False),
    ("quota_exhausted", 502, True, False),
    ("invalid_response", 502, True, False),
    ("unknown", 502, True, False),
    ("budget_exceeded", 429, True, False),
)

# Code, field, its type, whether it may be absent. The names that the contract gives are
# limit, issues, failures, model_error; it tells of the others without a name.
FIELDS = (
    ("node_failed", "kind", "code", "run", True),
    ("storage_failed", "storage_code", "code", "storage", False),
    ("model_failed", "model_error", "code", "model", True),
    ("limit_exceeded", "limit", "string", "", False),
    ("invalid_workflow", "issues", "list", "string", False),
    ("eval_failed", "failures", "list", "string", False),
    ("key_rate_limited", "retry_after", "retry_after", "", True),
    ("concurrency_limited", "retry_after", "retry_after", "", True),
    ("budget_exceeded", "retry_after", "retry_after", "", True),
)
REQUIRED: dict[str, dict[str, Any]] = {
    "storage_failed": {"storage_code": "storage_corrupt"},
    "limit_exceeded": {"limit": "tokens"},
    "invalid_workflow": {"issues": ["no entry", "a loop"]},
    "eval_failed": {"failures": ["pass rate"]},
}
"""What the codes need that cannot be without their fields."""

# What `model_error` holds, and the verdict of the failed call.
FOLLOWS = (
    ("rate_limited", True),
    ("overloaded", True),
    ("server", True),
    ("timeout", True),
    ("network", True),
    ("auth", False),
    ("permission", False),
    ("not_found", False),
    ("invalid_request", False),
    ("context_overflow", False),
    ("content_filter", False),
    ("quota_exhausted", False),
    ("invalid_response", False),
    ("unknown", False),
    ("no such kind", False),
    (None, False),
)


@pytest.fixture(scope="module", name="neutral")
def neutral_view() -> View:
    """The catalogue's neutral view, which holds those of its languages."""
    entry = Entry(SPEC, "spec/criogen.yaml", ())
    project = Project(Config(SPEC.parent.parent, pathlib.Path("generated"), (entry,)))
    loaded = project.load(entry)
    project.sound([loaded])
    return project.renderer.view(loaded.catalogue, entry.name, None)


@pytest.fixture(scope="module")
def catalogue(neutral: View) -> Catalogue:
    """The catalogue itself."""
    return neutral.catalogue


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    """The Python package."""
    with imported(generate(SPEC, tmp_path_factory.mktemp("criogen"))) as package:
        yield package


class TypeScript(NamedTuple):
    """The TypeScript package, for scripts that write one JSON value."""

    folder: pathlib.Path

    def __call__(self, script: str, given: Any) -> Any:
        source = f"""
        import {{ readFileSync }} from "node:fs";
        import * as errors from {json.dumps(str(self.folder / "index.js"))};
        const given = JSON.parse(readFileSync(0, "utf8"));
        const told = (value) => value === undefined ? null : value;
        {script}
        """
        return json.loads(run_node("--input-type=module", "-e", source, input=given))


@pytest.fixture(scope="module")
def typescript(tmp_path_factory: pytest.TempPathFactory) -> TypeScript:
    """The TypeScript package."""
    folder = tmp_path_factory.mktemp("typescript")
    return TypeScript(generate_typescript(text_of("criogen"), folder, "criogen"))


def names(table: tuple[Any, ...]) -> list[str]:
    """Name the rows of a table by their first column."""
    return [str(row[0]) for row in table]


def test_totals(neutral: View) -> None:
    """72 rows in 7 tables are 65 codes: 22 of no class, and the others of 9 classes."""
    assert len(TABLES) == 7
    assert sum(map(len, TABLES.values())) == 72
    assert (len(ROWS), len(neutral.codes)) == (65, 65)
    assert len(CLASSLESS) == 22
    assert len({row.cls for row in ROWS if row.cls}) == 9
    assert len(TWICE) == 7


@pytest.mark.parametrize("title", TABLES)
def test_rows_of_a_group(neutral: View, title: str) -> None:
    """A group holds the rows of the contract's table, in its order."""
    [group] = [g for g in neutral.groups if g.title == title]
    assert [code.key for code in group.codes] == [row.key for row in TABLES[title]]


def test_groups(neutral: View) -> None:
    """The contract's tables are there in its order; a code stands in two, or in one."""
    assert [group.title for group in neutral.groups] == list(TABLES)
    for row in ROWS:
        found = tuple(
            g.title for g in neutral.groups if neutral.code[row.key] in g.codes
        )
        assert found == TWICE.get(row.key, found[:1])


@pytest.mark.parametrize("row", ROWS, ids=names(ROWS))
def test_verdict(catalogue: Catalogue, row: Row) -> None:
    """A code has its verdict, without rules; only a failed model call follows another."""
    code = catalogue.codes[row.key]
    assert code.verdict.rules == ()
    assert code.verdict.follows == ("model_error" if row.retryable is None else None)
    assert code.verdict.default is bool(row.retryable)
    assert (code.pinned, code.control) == (False, False)


def test_only_a_failed_model_call_depends() -> None:
    """One verdict depends on what the error carries."""
    assert [row.key for row in ROWS if row.retryable is None] == ["model_failed"]


@pytest.mark.parametrize(("kind", "retryable"), FOLLOWS, ids=names(FOLLOWS))
def test_a_failed_model_call_follows(
    catalogue: Catalogue, kind: str | None, retryable: bool
) -> None:
    """A failed model call is worth a retry where the kind of its failure is."""
    code = catalogue.codes["model_failed"]
    assert (
        Judge(catalogue, code)({"model_error": kind} if kind else {}, {}) is retryable
    )


@pytest.mark.parametrize("row", ROWS, ids=names(ROWS))
def test_class_and_status(neutral: View, row: Row) -> None:
    """A code has the class and the HTTP status of the contract, or neither."""
    code = neutral.code[row.key].model
    assert code.classes == ((row.cls,) if row.cls else ())
    assert not code.own_class
    assert code.http == row.http


def test_classes(neutral: View) -> None:
    """There are nine classes, in every language, and eight derive from the base."""
    for view in neutral.languages.values():
        assert {c.name: c.parent for c in view.classes} == {
            "CriogenError": None,
            "LimitExceededError": "CriogenError",
            "CancelledError": "CriogenError",
            "ValidationError": "CriogenError",
            "StorageError": "CriogenError",
            "ModelError": "CriogenError",
            "ToolExecutionError": "CriogenError",
            "ThreadBusyError": "CriogenError",
            "ThreadSuspendedError": "CriogenError",
        }
        assert view.base.name == "CriogenError"


def by_status(status: int) -> bool:
    """Judge as those do who know nothing but the status: 429 and 5xx are retried."""
    return status == 429 or 500 <= status <= 599


@pytest.mark.parametrize(
    ("key", "status", "by", "own"), AGAINST_STATUS, ids=names(AGAINST_STATUS)
)
def test_the_verdict_beats_the_status(
    catalogue: Catalogue, python: ModuleType, key: str, status: int, by: bool, own: bool
) -> None:
    """A code whose status says something else keeps its verdict."""
    code = catalogue.codes[key]
    assert (code.http, by_status(status)) == (status, by)
    assert Judge(catalogue, code)({}, {}) is own is not by
    error = python.CriogenError(key, "m")
    assert error.retryable is python.get_retryable(error) is own
    assert python.is_retryable_error(error) is own


def test_the_verdict_beats_the_status_in_typescript(typescript: TypeScript) -> None:
    """TypeScript keeps those verdicts too."""
    script = """
    console.log(JSON.stringify(given.map((key) => {
      const error = new errors.CriogenError(key, "m");
      return [errors.lookup(key).http, error.retryable, errors.isRetryableError(error)];
    })));
    """
    expected = [[status, own, own] for _, status, _, own in AGAINST_STATUS]
    assert typescript(script, names(AGAINST_STATUS)) == expected


def test_no_other_verdict_contradicts_its_status() -> None:
    """Of all codes with a status, only these seven would be judged wrong by it."""
    wrong = [r.key for r in ROWS if r.http and by_status(r.http) is not r.retryable]
    assert sorted(wrong) == sorted(names(AGAINST_STATUS))
    assert len(wrong) == 7


@pytest.mark.parametrize("row", ROWS, ids=names(ROWS))
def test_fields(catalogue: Catalogue, row: Row) -> None:
    """A code carries what the contract tells of, and nothing else."""
    found = [
        (
            (row.key, f.name, f.type.kind, f.type.name, f.optional)
            if f.type.item is None
            else (row.key, f.name, f.type.kind, f.type.item.kind, f.optional)
        )
        for f in catalogue.codes[row.key].fields
    ]
    assert found == [field for field in FIELDS if field[0] == row.key]


def test_head(catalogue: Catalogue, neutral: View) -> None:
    """Fields stand under details; codes are only added; three languages raise them all."""
    assert (catalogue.wire_case, catalogue.fields_under) == ("snake", "details")
    assert catalogue.compatibility == "additive"
    assert catalogue.languages == ("python", "typescript", "rust")
    for view in neutral.languages.values():
        assert [c.spelling for c in view.raised] == [row.key for row in ROWS]


@pytest.mark.parametrize("row", ROWS, ids=names(ROWS))
def test_python(python: ModuleType, row: Row) -> None:
    """The Python package has a constant and metadata of each code, and reads it."""
    assert getattr(python.codes, row.key.upper()) == row.key
    info = python.lookup(row.key)
    assert info is python.CODES[row.key]
    assert (info.retryable, info.http) == (bool(row.retryable), row.http)
    assert info.class_names == ((row.cls,) if row.cls else ())
    details = REQUIRED.get(row.key, {})
    data = {"code": row.key, "message": "m", "details": details}
    error = python.from_wire(data)
    assert type(error) is getattr(python, row.cls or CRIOGEN)
    assert (error.code, error.extra) == (row.key, {})
    assert error.retryable is bool(row.retryable)
    whole = {"code": row.key, "message": "m", "retryable": bool(row.retryable)}
    assert python.to_wire(error) == (whole | {"details": details} if details else whole)


def test_typescript(typescript: TypeScript) -> None:
    """The TypeScript package has metadata of each code, and reads it."""
    script = """
    console.log(JSON.stringify(given.map((data) => {
      const info = errors.lookup(data.code);
      const error = errors.fromWire(data);
      return [
        info === errors.ERRORS.get(data.code), info.retryable, told(info.http),
        info.classNames, error.constructor.name, error.code, error.retryable,
        Object.keys(error.extra), errors.isCode(error, data.code),
        errors.toWire(error).details ?? {},
      ];
    })));
    """
    given = [
        {"code": row.key, "message": "m", "details": REQUIRED.get(row.key, {})}
        for row in ROWS
    ]
    found = typescript(script, given)
    for row, got in zip(ROWS, found, strict=True):
        verdict = bool(row.retryable)
        carriers = [row.cls] if row.cls else []
        details = REQUIRED.get(row.key, {})
        assert got[:4] == [True, verdict, row.http, carriers]
        assert got[4:7] == [row.cls or CRIOGEN, row.key, verdict]
        assert got[7:] == [[], True, details]


@pytest.mark.parametrize(("kind", "retryable"), FOLLOWS, ids=names(FOLLOWS))
def test_a_failed_model_call_in_python(
    python: ModuleType, kind: str | None, retryable: bool
) -> None:
    """In Python the verdict of a failed model call follows the kind of its failure."""
    assert python.ModelError("m", model_error=kind).retryable is retryable
    details = {} if kind is None else {"model_error": kind}
    data = {"code": "model_failed", "message": "m", "details": details}
    assert python.from_wire(data).retryable is retryable
    assert python.ModelError("m").retryable is False


def test_a_failed_model_call_in_typescript(typescript: TypeScript) -> None:
    """In TypeScript the verdict of a failed model call follows the kind of its failure."""
    script = """
    console.log(JSON.stringify(given.map((kind) => {
      const details = kind === null ? {} : { model_error: kind };
      const read = errors.fromWire({ code: "model_failed", message: "m", details });
      const options = kind === null ? {} : { modelError: kind };
      return [new errors.ModelError("m", options).retryable, read.retryable];
    })));
    """
    expected = [[retryable, retryable] for _, retryable in FOLLOWS]
    assert typescript(script, [kind for kind, _ in FOLLOWS]) == expected


def test_explain_shows_the_rule() -> None:
    """`errspec explain model_failed` says whose verdict it takes, and which without one."""
    done = errspec("explain", "model_failed", SPEC)
    assert done.returncode == 0, done.stderr
    said = re.sub(r"\s+", " ", done.stdout)
    assert "Retry: as the code in `model_error` says" in said
    assert "no where `model_error` names no known code" in said
