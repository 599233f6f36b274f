"""The agent catalogue against the contract it states.

Everything expected in here was typed by hand from the contract, never taken from the
catalogue: a slip in spec/agent.yaml and a slip in here would have to be the same one.
"""

from __future__ import annotations

import pathlib
from typing import Any, NamedTuple

import msgspec.structs
import pytest

from errspec.config import Config, Entry
from errspec.judge import Judge
from errspec.model import Catalogue
from errspec.project import Project
from errspec.view import View

SPEC = pathlib.Path(__file__).parent.parent / "spec" / "agent.yaml"

PYTHON = ("python",)
TYPESCRIPT = ("typescript",)
BOTH = ("python", "typescript")


EMPTY = "empty_truncation"
SPENT = "thought_past_budget"
NOT_JSON = "non_json_select"


class Row(NamedTuple):
    """One row of the contract's tables."""

    key: str
    retryable: bool
    """The plain verdict: what holds where no circumstance says otherwise."""
    raised_in: tuple[str, ...] = BOTH
    conditional: bool = False
    """Whether the circumstances can change the verdict."""
    control: bool = False
    """Whether it is control flow, whose verdict is pinned."""


# Group titles and rows, both in the contract's order.
TABLES: dict[str, tuple[Row, ...]] = {
    "Budgets & limits": (
        Row("BUDGET_EXCEEDED", False),
        Row("BUDGET_NO_PRICE", False),
    ),
    "Model & provider": (
        Row("MODEL_ERROR", True, conditional=True),
        Row("MODEL_CAPABILITY", False),
    ),
    "Agent loop & tools": (
        Row("ABORTED", False),
        Row("TIMEOUT", True),
        Row("UNKNOWN_TOOL", False),
        Row("TOOL_ARG_INVALID", False),
        Row("TOOL_EXECUTION", False),
        Row("STRUCTURED_INVALID", True),
        Row("STRUCTURED_NO_MATCH", False),
        Row("CHECKPOINT_MISSING", False),
        Row("MEMORY_CORRUPT", False),
    ),
    "Storage & state": (
        Row("STORAGE_KEY_INVALID", False),
        Row("THREAD_ID_INVALID", False),
        Row("MESSAGE_NOT_FOUND", False),
        Row("MESSAGE_NOT_EDITABLE", False),
    ),
    "Python-only durability codes": (
        Row("CHECKPOINT_SERIALIZABLE", False, PYTHON),
        Row("CHECKPOINT_WRITE", True, PYTHON),
        Row("LOCK_ERROR", False, PYTHON),
    ),
    "Governance & policy": (
        Row("HITL_DECISION", False),
        Row("POLICY_DENIED", False),
        Row("PII_BLOCKED", False, TYPESCRIPT),
    ),
    "Sandboxed execution": (
        Row("SANDBOX_TIMEOUT", True),
        Row("SANDBOX_ERROR", False),
        Row("SANDBOX_OUTPUT_TOO_LARGE", False),
    ),
    "Multi-agent & workflows": (
        Row("ORCHESTRATION_EMPTY", False),
        Row("ORCHESTRATION_STRATEGY", False, PYTHON),
        Row("ROUTER_NO_MATCH", False),
        Row("SUBAGENT_UNKNOWN", False, TYPESCRIPT),
        Row("SWARM_EMPTY", False),
        Row("SWARM_UNKNOWN_ENTRY", False),
        Row("SWARM_HANDOFF", False, control=True),
        Row("SWARM_INCOMPLETE", False, PYTHON),
        Row("RUN_INCOMPLETE", False, PYTHON),
        Row("WORKFLOW_DUPLICATE_ID", False),
        Row("WORKFLOW_UNKNOWN_DEP", False),
        Row("WORKFLOW_CYCLE", False),
    ),
    "A2A & remote agents": (
        Row("A2A_TRANSPORT", True, conditional=True),
        Row("A2A_CARD", False, conditional=True),
        Row("A2A_ERROR", False),
        Row("A2A_BODY_TOO_LARGE", False),
    ),
    "MCP": (
        Row("MCP_TRANSPORT", True, conditional=True),
        Row("MCP_PROTOCOL", True),
        Row("MCP_ERROR", False),
        Row("MCP_TOOL_ERROR", False),
        Row("MCP_NOT_CONNECTED", False),
    ),
    "Filesystem & remote SPARQL": (
        Row("FS_ESCAPE", False, TYPESCRIPT),
        Row("FS_NO_MATCH", False, TYPESCRIPT),
        Row("REMOTE_SPARQL", True, conditional=True),
    ),
}
ROWS = tuple(row for rows in TABLES.values() for row in rows)

# Code, the language that never raises it.
ABSENT = (
    ("CHECKPOINT_SERIALIZABLE", "typescript"),
    ("CHECKPOINT_WRITE", "typescript"),
    ("LOCK_ERROR", "typescript"),
    ("PII_BLOCKED", "python"),
    ("ORCHESTRATION_STRATEGY", "typescript"),
    ("SUBAGENT_UNKNOWN", "python"),
    ("SWARM_INCOMPLETE", "typescript"),
    ("RUN_INCOMPLETE", "typescript"),
    ("FS_ESCAPE", "python"),
    ("FS_NO_MATCH", "python"),
)

# Code, language, the places that raise it there.
RAISED_BY: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    (
        "BUDGET_EXCEEDED",
        "python",
        ("agent loop", "model_call_limit", "tool_call_limit", "budgets check"),
    ),
    ("BUDGET_NO_PRICE", "typescript", ("agent budgets check",)),
    ("MODEL_CAPABILITY", "python", ("model capability check",)),
    ("UNKNOWN_TOOL", "typescript", ("ToolRegistry", "tool lookup")),
    ("TOOL_EXECUTION", "python", ("agent loop tool dispatch",)),
    ("STRUCTURED_NO_MATCH", "python", ("agent loop", "structured tool")),
    ("CHECKPOINT_MISSING", "python", ("Agent.resume",)),
    ("MEMORY_CORRUPT", "typescript", ("FileMemory",)),
    ("THREAD_ID_INVALID", "python", ("FileCheckpointer",)),
    ("MESSAGE_NOT_EDITABLE", "typescript", ("Agent.editMessage",)),
    ("CHECKPOINT_WRITE", "python", ("FileCheckpointer.save",)),
    ("LOCK_ERROR", "python", ("with_file_lock",)),
    ("HITL_DECISION", "python", ("HITL middleware",)),
    ("POLICY_DENIED", "python", ("policy filter (middleware.py)",)),
    ("POLICY_DENIED", "typescript", ("policy filter (tracing/)",)),
    ("PII_BLOCKED", "typescript", ("piiMiddleware",)),
    ("SANDBOX_OUTPUT_TOO_LARGE", "python", ("sandbox execute",)),
    ("ROUTER_NO_MATCH", "typescript", ("orchestration router",)),
    ("SWARM_HANDOFF", "python", ("Swarm handoff tool",)),
    ("SWARM_INCOMPLETE", "python", ("Swarm.run",)),
    ("WORKFLOW_CYCLE", "typescript", ("workflow topological sort",)),
    ("A2A_TRANSPORT", "python", ("A2A clients", "A2AServer writes")),
    ("A2A_ERROR", "typescript", ("A2A clients", "AgentClient.stream")),
    ("A2A_BODY_TOO_LARGE", "python", ("A2AServer",)),
    ("MCP_PROTOCOL", "typescript", ("MCP HTTP client",)),
    ("MCP_NOT_CONNECTED", "python", ("MCP clients",)),
    ("FS_NO_MATCH", "typescript", ("edit_file",)),
    ("REMOTE_SPARQL", "python", ("remote SPARQL adapter",)),
)

# Code, what the error carries, and the verdict that follows from it. The names of
# fields and reasons are the catalogue's, the verdicts are the contract's.
CIRCUMSTANCES: tuple[tuple[str, dict[str, Any], bool], ...] = (
    ("MODEL_ERROR", {}, True),
    ("MODEL_ERROR", {"reason": "network"}, True),
    ("MODEL_ERROR", {"status": 429}, True),
    ("MODEL_ERROR", {"status": 500}, True),
    ("MODEL_ERROR", {"status": 503}, True),
    ("MODEL_ERROR", {"status": 599}, True),
    ("MODEL_ERROR", {"status": 400}, False),
    ("MODEL_ERROR", {"status": 401}, False),
    ("MODEL_ERROR", {"status": 404}, False),
    ("MODEL_ERROR", {"status": 428}, False),
    ("MODEL_ERROR", {"status": 430}, False),
    ("MODEL_ERROR", {"status": 499}, False),
    ("MODEL_ERROR", {"reason": EMPTY}, False),
    ("MODEL_ERROR", {"reason": EMPTY, "status": 200}, False),
    ("MODEL_ERROR", {"reason": SPENT}, False),
    ("MODEL_ERROR", {"reason": SPENT, "status": 200}, False),
    ("A2A_TRANSPORT", {}, True),
    ("A2A_TRANSPORT", {"status": 500}, True),
    ("A2A_TRANSPORT", {"status": 503}, True),
    ("A2A_TRANSPORT", {"status": 599}, True),
    ("A2A_TRANSPORT", {"status": 400}, False),
    ("A2A_TRANSPORT", {"status": 404}, False),
    ("A2A_TRANSPORT", {"status": 413}, False),
    ("A2A_TRANSPORT", {"status": 429}, False),
    ("A2A_TRANSPORT", {"status": 499}, False),
    ("A2A_CARD", {}, False),
    ("A2A_CARD", {"status": 500}, True),
    ("A2A_CARD", {"status": 502}, True),
    ("A2A_CARD", {"status": 599}, True),
    ("A2A_CARD", {"status": 200}, False),
    ("A2A_CARD", {"status": 302}, False),
    ("A2A_CARD", {"status": 404}, False),
    ("A2A_CARD", {"status": 429}, False),
    ("MCP_TRANSPORT", {}, True),
    ("MCP_TRANSPORT", {"reason": "network"}, True),
    ("MCP_TRANSPORT", {"reason": "write"}, True),
    ("MCP_TRANSPORT", {"reason": "spawn"}, False),
    ("MCP_TRANSPORT", {"status": 500}, True),
    ("MCP_TRANSPORT", {"status": 503}, True),
    ("MCP_TRANSPORT", {"status": 599}, True),
    ("MCP_TRANSPORT", {"status": 204}, False),
    ("MCP_TRANSPORT", {"status": 301}, False),
    ("MCP_TRANSPORT", {"status": 404}, False),
    ("MCP_TRANSPORT", {"status": 429}, False),
    ("MCP_TRANSPORT", {"status": 499}, False),
    ("REMOTE_SPARQL", {}, True),
    ("REMOTE_SPARQL", {"reason": "network"}, True),
    ("REMOTE_SPARQL", {"status": 429}, True),
    ("REMOTE_SPARQL", {"status": 500}, True),
    ("REMOTE_SPARQL", {"status": 503}, True),
    ("REMOTE_SPARQL", {"status": 599}, True),
    ("REMOTE_SPARQL", {"status": 400}, False),
    ("REMOTE_SPARQL", {"status": 404}, False),
    ("REMOTE_SPARQL", {"status": 428}, False),
    ("REMOTE_SPARQL", {"status": 499}, False),
    ("REMOTE_SPARQL", {"reason": NOT_JSON}, False),
    ("REMOTE_SPARQL", {"reason": NOT_JSON, "status": 200}, False),
)

# Language, how often its retry layer tries again.
MAX_RETRIES = (("python", 3), ("typescript", 2))


@pytest.fixture(scope="module", name="neutral")
def neutral_view() -> View:
    """The catalogue's neutral view, which holds those of its languages."""
    entry = Entry(SPEC, "spec/agent.yaml", ())
    project = Project(Config(SPEC.parent.parent, pathlib.Path("generated"), (entry,)))
    loaded = project.load(entry)
    project.sound([loaded])
    return project.renderer.view(loaded.catalogue, entry.name, None)


@pytest.fixture(scope="module")
def catalogue(neutral: View) -> Catalogue:
    """The catalogue itself."""
    return neutral.catalogue


def ids(table: tuple[tuple[Any, ...], ...], columns: int) -> list[str]:
    """Name the rows of a table by their first columns."""
    return [" ".join(str(cell) for cell in row[:columns]) for row in table]


def test_totals(neutral: View) -> None:
    """There are 50 codes in 51 spellings: Python raises 46, TypeScript 44."""
    spellings = {s for code in neutral.codes for s in code.spellings}
    raised = {name: len(view.raised) for name, view in neutral.languages.items()}
    assert (len(ROWS), len(neutral.codes), len(spellings)) == (50, 50, 51)
    assert raised == {"python": 46, "typescript": 44}


def test_groups(catalogue: Catalogue) -> None:
    """The contract's 11 groups are there under its titles, in its order."""
    assert [group.title for group in catalogue.groups.values()] == list(TABLES)
    assert len(TABLES) == 11


@pytest.mark.parametrize("title", TABLES)
def test_rows_of_a_group(neutral: View, title: str) -> None:
    """A group holds the rows of the contract's table, in its order."""
    [group] = [g for g in neutral.groups if g.title == title]
    assert [code.key for code in group.codes] == [row.key for row in TABLES[title]]


@pytest.mark.parametrize("row", ROWS, ids=ids(ROWS, 1))
def test_verdict(catalogue: Catalogue, row: Row) -> None:
    """A code has its plain verdict, and rules only where circumstances count."""
    code = catalogue.codes[row.key]
    assert code.verdict.default is row.retryable
    assert bool(code.verdict.rules) is row.conditional
    assert code.verdict.follows is None
    assert Judge(catalogue, code)({}, {}) is row.retryable


@pytest.mark.parametrize("row", ROWS, ids=ids(ROWS, 1))
def test_control_flow(catalogue: Catalogue, row: Row) -> None:
    """Only the handoff of a swarm is control flow, and its verdict alone is pinned."""
    code = catalogue.codes[row.key]
    assert (code.control, code.pinned) == (row.control, row.control)
    assert row.control is (row.key == "SWARM_HANDOFF")


@pytest.mark.parametrize("row", ROWS, ids=ids(ROWS, 1))
def test_languages(neutral: View, row: Row) -> None:
    """A code is raised in the languages that the contract says, and in no other."""
    views = neutral.languages.items()
    raised = tuple(name for name, view in views if view.code[row.key].is_raised)
    assert raised == row.raised_in


@pytest.mark.parametrize(("key", "language"), ABSENT, ids=ids(ABSENT, 2))
def test_absence_has_a_reason(neutral: View, key: str, language: str) -> None:
    """A code of one language only says why the other one lacks it."""
    absent = neutral.code[key].absent
    assert list(absent) == [language]
    assert absent[language].strip()


def test_absences_are_complete() -> None:
    """Ten codes belong to one language only; both tables in here name the same ones."""
    missing = {
        (row.key, name) for row in ROWS for name in BOTH if name not in row.raised_in
    }
    assert missing == set(ABSENT)
    assert len(ABSENT) == 10


@pytest.mark.parametrize(
    ("language", "spelling"),
    [("python", "POLICY_DENIED"), ("typescript", "POLICY_DENY")],
)
def test_denied_policy(neutral: View, language: str, spelling: str) -> None:
    """A denied policy is spelt in each language's own way, also on the wire."""
    code = neutral.languages[language].code["POLICY_DENIED"]
    assert (code.spelling, code.wire) == (spelling, spelling)
    assert set(code.spellings) == {"POLICY_DENIED", "POLICY_DENY"}
    assert code.model.languages["typescript"].reason.strip()


@pytest.mark.parametrize("row", ROWS, ids=ids(ROWS, 1))
def test_spelling(neutral: View, row: Row) -> None:
    """Every code but the denied policy is spelt alike in both languages."""
    names = {view.code[row.key].spelling for view in neutral.languages.values()}
    assert (names == {row.key}) is (row.key != "POLICY_DENIED")


@pytest.mark.parametrize(
    ("key", "language", "places"), RAISED_BY, ids=ids(RAISED_BY, 2)
)
def test_raised_by(
    neutral: View, key: str, language: str, places: tuple[str, ...]
) -> None:
    """A code names the places that raise it in a language."""
    assert neutral.languages[language].code[key].raised_by == places


@pytest.mark.parametrize(
    ("key", "fields", "retryable"), CIRCUMSTANCES, ids=ids(CIRCUMSTANCES, 2)
)
def test_verdict_by_circumstances(
    catalogue: Catalogue, key: str, fields: dict[str, Any], retryable: bool
) -> None:
    """What an error carries decides the verdict of a code with rules."""
    code = catalogue.codes[key]
    types = {field.name: field.type for field in code.fields}
    assert fields.keys() <= types.keys()
    assert types["status"].kind == "http_status"
    assert "reason" not in fields or fields["reason"] in types["reason"].words
    assert Judge(catalogue, code)(fields, {}) is retryable


def test_circumstances_are_complete() -> None:
    """Each code with rules is tried with both outcomes, and no other code is tried."""
    tried = {(key, retryable) for key, _, retryable in CIRCUMSTANCES}
    conditional = [row.key for row in ROWS if row.conditional]
    assert tried == {(key, verdict) for key in conditional for verdict in (True, False)}


def test_handoff_signal(catalogue: Catalogue) -> None:
    """The handoff of a swarm carries a signal: to whom, what to say, and a context."""
    types = [field.type for field in catalogue.codes["SWARM_HANDOFF"].fields]
    assert [(t.kind, t.name) for t in types] == [("record", "HandoffSignal")]
    names = [field.name for field in catalogue.records["HandoffSignal"].fields]
    assert names == ["to", "message", "context"]


@pytest.mark.parametrize(("language", "times"), MAX_RETRIES, ids=ids(MAX_RETRIES, 1))
def test_retry(catalogue: Catalogue, language: str, times: int) -> None:
    """Both languages retry tools and models alike, but for how often."""
    assert msgspec.structs.asdict(catalogue.retry[language]) == {
        "wrappers": ("tool", "model"),
        "max_retries": times,
        "initial_delay_ms": 1000,
        "backoff_factor": "2.0",
        "max_delay_ms": 60000,
        "jitter": True,
        "on_failure": "error",
    }


def test_retry_languages(catalogue: Catalogue) -> None:
    """The catalogue's languages are the contract's two, and each has a retry layer."""
    assert catalogue.languages == BOTH
    assert set(catalogue.retry) == set(BOTH)


@pytest.mark.parametrize("language", BOTH)
def test_human_interrupt(neutral: View, language: str) -> None:
    """The human interrupt is control flow without a code, and no AgentError."""
    view = neutral.languages[language]
    [found] = [c for c in view.classes if c.name == "HitlInterrupt"]
    assert found.parent is None
    assert found.control
    assert found.codes == ()
    assert (view.base.name, found.is_base) == ("AgentError", False)


def test_foreign_errors(catalogue: Catalogue) -> None:
    """An error of somebody else has no verdict until it is stamped."""
    assert catalogue.foreign_errors is None
