"""The oma catalogue against the contract it states, and what its packages make of it.

Everything expected in here was typed by hand from the contract, never taken from the
catalogue: a slip in spec/oma.yaml and a slip in here would have to be the same one.
"""

from __future__ import annotations

import asyncio
import importlib
import itertools
import json
import pathlib
import re
from collections.abc import Iterator
from types import ModuleType
from typing import Any, NamedTuple

import pytest

from errspec.config import Config, Entry
from errspec.model import Catalogue, Type
from errspec.project import Project
from errspec.view import View
from javascript import catalogue as text_of
from javascript import generate as generate_typescript
from javascript import run_node
from packages import generate, imported

SPEC = pathlib.Path(__file__).parent.parent / "spec" / "oma.yaml"

BASE = "OmaError"
"""The contract has no class that all others extend; the packages need one."""

ROOT = "@open-multi-agent/core"
OBSERVABILITY = "@open-multi-agent/core/observability"
FILE = "@open-multi-agent/core/observability/file"
ERRORS_TS = "packages/core/src/errors.ts"


class Class(NamedTuple):
    """One class of the contract, in its order."""

    name: str
    codes: tuple[str, ...]
    retryable: bool | None
    """None: the contract says nothing of a retry."""
    fields: dict[str, str] = {}  # noqa: RUF012 (nobody writes it)
    """The types of its fields under the contract's names; a ? ends those of optional ones."""
    attributes: dict[str, Any] = {}  # noqa: RUF012
    exported: bool = True
    in_union: bool = True
    """Whether it derives from the base class, and travels."""


def seen(
    *surfaces: str,
    status: str | None = None,
    kind: str | None = None,
    raised: str = "thrown",
    path: tuple[str, ...] = (ROOT,),
    file: str = ERRORS_TS,
    exit: int | None = None,
) -> dict[str, Any]:
    """Return where a caller meets a class, as attributes have it."""
    found = {
        "status_code": status,
        "kind": kind,
        "surfaces": list(surfaces) or None,
        "raised": raised,
        "import_path": list(path) or None,
        "defined_in": file,
        "exit_code": exit,
    }
    return {name: value for name, value in found.items() if value is not None}


CLASSES = (
    Class(
        "TokenBudgetExceededError",
        ("TOKEN_BUDGET_EXCEEDED",),
        False,
        {"agent": "string", "tokensUsed": "integer", "budget": "integer"},
        seen(
            "result", "event", status="budget_exhausted", kind="budget", raised="value"
        ),
    ),
    Class(
        "CostBudgetExceededError",
        ("COST_BUDGET_EXCEEDED",),
        False,
        {"agent": "string", "costUsed": "number", "budget": "number"},
        seen(
            "result", "event", status="budget_exhausted", kind="budget", raised="value"
        ),
    ),
    Class(
        "LLMCallTimeoutError",
        ("LLM_CALL_TIMEOUT",),
        True,
        {"timeoutMs": "duration_ms", "agent": "string?"},
        seen("result", status="timeout", kind="timeout"),
    ),
    Class(
        "RoutingTimeoutError",
        ("ROUTING_TIMEOUT",),
        True,
        {"timeoutMs": "duration_ms", "stage": "router profiler"},
        seen("thrown", "result", status="timeout", kind="timeout"),
    ),
    Class(
        "RoutingProfilerFailedError",
        ("ROUTING_PROFILER_FAILED",),
        False,
        {"cause": "error?"},
        seen("thrown"),
    ),
    Class(
        "RoutingDeclarationRequiredError",
        ("ROUTING_DECLARATION_REQUIRED",),
        False,
        {"reasons": "string[]", "assessment": "json?"},
        seen("thrown"),
    ),
    Class(
        "InvalidMessageError",
        ("INVALID_MESSAGE",),
        False,
        {},
        seen("thrown", "result", kind="callback"),
    ),
    Class(
        "StructuredOutputValidationError",
        ("STRUCTURED_OUTPUT_VALIDATION_FAILED",),
        False,
        {"cause": "error"},
        seen("result", kind="validation", raised="value"),
    ),
    Class(
        "InvalidTaskRequirementsError",
        ("INVALID_TASK_REQUIREMENTS",),
        False,
        {"issues": "TaskRequirementIssue[]"},
        seen("thrown", "result", "event", kind="validation"),
    ),
    Class(
        "UnsupportedToolCallError",
        ("UNSUPPORTED_TOOL_CALL",),
        False,
        {"provider": "string", "toolType": "string"},
        seen("result"),
    ),
    Class(
        "UnsupportedToolResultContentError",
        ("UNSUPPORTED_TOOL_RESULT_CONTENT",),
        False,
        {"provider": "string", "contentType": "string", "detail": "string?"},
        seen("result"),
    ),
    Class(
        "UnsupportedContentBlockError",
        ("UNSUPPORTED_CONTENT_BLOCK",),
        False,
        {"provider": "string", "blockType": "string", "detail": "string?"},
        seen("result"),
    ),
    Class(
        "EgressPolicyError",
        (
            "INVALID_EGRESS_POLICY",
            "EGRESS_POLICY_DENIED",
            "EGRESS_POLICY_UNSUPPORTED",
            "EGRESS_POLICY_TARGET_UNRESOLVED",
        ),
        False,
        {
            "reason": "invalid-policy denied unsupported unresolved-target",
            "provider": "string?",
            "origin": "string?",
        },
        seen("thrown", "result", status="rejected", kind="validation"),
    ),
    Class(
        "JournalLineageError",
        ("MISSING_CONTEXT_REPLACE",),
        False,
        {"messageIndex": "integer", "blockIndex": "integer", "blockType": "string"},
        seen("result"),
    ),
    Class(
        "TraceStoreError",
        ("INVALID_ARGUMENT", "INVALID_CURSOR", "UNSUPPORTED_SCHEMA_VERSION"),
        None,
        {"field": "string?"},
        seen(
            "thrown",
            path=(ROOT, OBSERVABILITY),
            file="packages/core/src/observability/store.ts",
        ),
    ),
    Class(
        "FileTraceStoreError",
        (),
        None,
        {
            "operation": "string?",
            "path": "string?",
            "lineNumber": "integer?",
            "causeCode": "string?",
        },
        seen(
            "thrown",
            path=(FILE,),
            file="packages/core/src/observability/file-store.ts",
            exit=2,
        ),
    ),
    Class(
        "RunViewerInputError",
        ("UNSUPPORTED_SCHEMA_VERSION", "MISSING_SOURCE", "RUN_ID_MISMATCH"),
        None,
        {},
        seen("thrown", file="packages/core/src/dashboard/run-viewer-model.ts"),
    ),
    Class(
        "OmaValidationError",
        (),
        None,
        {},
        seen(kind="validation", path=(), file="packages/core/src/cli/oma.ts", exit=2),
        exported=False,
        in_union=False,
    ),
    Class(
        "DurableApprovalError",
        (
            "APPROVAL_ATOMIC_STORE_REQUIRED",
            "APPROVAL_CONFLICT",
            "APPROVAL_INTEGRITY_ERROR",
            "APPROVAL_NOT_FOUND",
            "APPROVAL_STALE_DECISION",
            "APPROVAL_VALIDATION_ERROR",
        ),
        False,
        {},
        seen("thrown", file="packages/core/src/approval/durable.ts"),
    ),
    Class(
        "TaskProfileValidationError",
        (),
        False,
        {"usage": "TokenUsage?", "model": "string?", "provider": "string?"},
        seen(file="packages/core/src/orchestrator/task-profiler.ts"),
        in_union=False,
    ),
)
EXPORTED = tuple(c for c in CLASSES if c.exported)

# The reason of an EgressPolicyError decides its code.
REASONS = {
    "invalid-policy": "INVALID_EGRESS_POLICY",
    "denied": "EGRESS_POLICY_DENIED",
    "unsupported": "EGRESS_POLICY_UNSUPPORTED",
    "unresolved-target": "EGRESS_POLICY_TARGET_UNRESOLVED",
}
ISSUE_CODES = ("NO_ELIGIBLE_AGENT", "ASSIGNEE_REQUIREMENTS_MISMATCH")
OPEN_CODE = "NOT_LISTED_ANYWHERE"
"""For the class whose codes the contract does not list."""

# The status of a foreign error, and whether to retry it.
STATUSES = (
    (400, False),
    (401, False),
    (403, False),
    (404, False),
    (407, False),
    (408, True),
    (409, True),
    (410, False),
    (422, False),
    (428, False),
    (429, True),
    (430, False),
    (499, False),
    (500, True),
    (503, True),
    (599, True),
    (200, True),  # no status of an error: as if there were none
    (None, True),
)

# What stands for a value of each type, as JSON has it.
VALUES: dict[str, Any] = {
    "string": "text",
    "integer": 7,
    "number": 1.5,
    "duration_ms": 250,
    "json": {"any": [1, "text"]},
    "string[]": ["a", "b"],
    "TaskRequirementIssue[]": [
        {"code": "NO_ELIGIBLE_AGENT"},
        {"code": "ASSIGNEE_REQUIREMENTS_MISMATCH", "taskId": "t", "assignee": "a"},
    ],
    "TokenUsage": {"inputTokens": 3, "outputTokens": 4},
}


class Made(NamedTuple):
    """An error to make: of a class and a code, with some of the optional fields."""

    cls: Class
    code: str | None
    fields: dict[str, Any]
    """Under the contract's names; the native cause is left out."""
    cause: bool


def makings() -> Iterator[Made]:
    """Yield all that can be made: each class, code, and choice of optional fields."""
    for cls in EXPORTED:
        optional = [name for name, type in cls.fields.items() if type.endswith("?")]
        choices = itertools.chain.from_iterable(
            itertools.combinations(optional, count)
            for count in range(len(optional) + 1)
        )
        codes = cls.codes or ((OPEN_CODE,) if cls.in_union else (None,))
        for absent, code in itertools.product(choices, codes):
            fields = {
                name: type.rstrip("?")
                for name, type in cls.fields.items()
                if name not in absent
            }
            reason = next((r for r, c in REASONS.items() if c == code), "")
            values = {
                name: reason if name == "reason" else VALUES.get(type, type.split()[0])
                for name, type in fields.items()
                if type != "error"
            }
            yield Made(cls, code, values, "error" in fields.values())


MAKINGS = tuple(makings())
STAGES = tuple(
    Made(CLASSES[3], "ROUTING_TIMEOUT", {"timeoutMs": 1, "stage": stage}, False)
    for stage in ("router", "profiler")
)


def snake(name: str) -> str:
    """Return a name of the contract as Python spells it."""
    return re.sub("[A-Z]", lambda letter: f"_{letter[0].lower()}", name)


def camel(name: str) -> str:
    """Return the name of an attribute as TypeScript spells it."""
    return re.sub("_(.)", lambda found: found[1].upper(), name)


def comes_back_as(made: Made) -> str:
    """Return the class that is built of what it is on the wire."""
    shared = made.code == "UNSUPPORTED_SCHEMA_VERSION"  # two classes carry it
    needs_cause = made.cls.fields.get("cause") == "error"  # which does not travel
    return BASE if shared or needs_cause or made.code == OPEN_CODE else made.cls.name


def wire_form(made: Made, verdict: bool | None) -> dict[str, Any]:
    """Return what it is on the wire: the names there are those of the contract."""
    return {
        "code": made.code,
        "message": "m",
        "retryable": verdict,
        **made.fields,
    }


def names(table: tuple[Any, ...]) -> list[str]:
    """Name the rows of a table by their first column."""
    return [str(row[0]) for row in table]


@pytest.fixture(scope="module", name="neutral")
def neutral_view() -> View:
    """The catalogue's neutral view, which holds those of its languages."""
    entry = Entry(SPEC, "spec/oma.yaml", ())
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
    with imported(generate(SPEC, tmp_path_factory.mktemp("oma"))) as package:
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
    return TypeScript(generate_typescript(text_of("oma"), folder, "oma"))


def test_totals(catalogue: Catalogue) -> None:
    """20 classes carry 37 fields; their 29 codes are 28, since two share one."""
    assert len(CLASSES) == 20
    assert sum(len(c.fields) for c in CLASSES) == 37
    pairs = [(c.name, code) for c in CLASSES for code in c.codes]
    assert len(pairs) == 29
    assert len({code for _, code in pairs}) == len(catalogue.codes) == 28
    assert [c.name for c in CLASSES if not c.codes] == [
        "FileTraceStoreError",
        "OmaValidationError",
        "TaskProfileValidationError",
    ]


def test_head(catalogue: Catalogue) -> None:
    """Both languages raise it all, and on the wire names are in camelCase."""
    assert catalogue.languages == ("typescript", "python")
    assert (catalogue.wire_case, catalogue.fields_under) == ("camel", None)
    assert not catalogue.class_per_code


def test_classes(neutral: View) -> None:
    """Every class is there, in the contract's order and spelling, in every language."""
    for view in neutral.languages.values():
        assert [c.name for c in view.classes if not c.is_base] == names(CLASSES)
        assert view.base.name == BASE
        found = {c.name: c.parent for c in view.classes}
        assert found.pop(BASE) is None
        assert found == {c.name: BASE if c.in_union else None for c in CLASSES}
        assert [c.name for c in view.classes if c.internal] == ["OmaValidationError"]


@pytest.mark.parametrize("cls", CLASSES, ids=names(CLASSES))
def test_codes_and_verdict(neutral: View, cls: Class) -> None:
    """A class has its codes, in both languages, and each of them its one verdict."""
    for view in neutral.languages.values():
        found = view.class_named[cls.name]
        assert sorted(found.spellings) == sorted(cls.codes)
        assert (found.open, found.abstract) == (
            cls.name == "FileTraceStoreError",
            False,
        )
        verdicts = {found.verdict, *(code.verdict for code in found.codes)} - {None}
        assert [(v.default, v.conditional) for v in verdicts if v] == [
            (cls.retryable, False)
        ]


def test_one_code_is_named_otherwise_than_its_class(catalogue: Catalogue) -> None:
    """A gap in the lineage of the journal goes by the name of what is missing."""
    assert catalogue.codes["MISSING_CONTEXT_REPLACE"].classes == (
        "JournalLineageError",
    )


def test_two_classes_share_a_code(catalogue: Catalogue) -> None:
    """A version of the schema that cannot be read is met in two places."""
    assert catalogue.codes["UNSUPPORTED_SCHEMA_VERSION"].classes == (
        "TraceStoreError",
        "RunViewerInputError",
    )
    assert [k for k, c in catalogue.codes.items() if len(c.classes) > 1] == [
        "UNSUPPORTED_SCHEMA_VERSION"
    ]


@pytest.mark.parametrize("cls", CLASSES, ids=names(CLASSES))
def test_fields(catalogue: Catalogue, neutral: View, cls: Class) -> None:
    """A class carries what the contract says, under its names in TypeScript and on the
    wire, and nothing else."""
    found = catalogue.classes[cls.name].fields
    assert {f.name: _shown(f.type) + ("?" if f.optional else "") for f in found} == {
        snake(name): type for name, type in cls.fields.items()
    }
    local = neutral.languages["typescript"].class_named[cls.name].fields
    assert sorted(f.name for f in local) == sorted(cls.fields)
    assert sorted(f.wire for f in local) == sorted(cls.fields)


def _shown(type: Type) -> str:
    if type.item:
        return f"{_shown(type.item)}[]"
    return " ".join(type.words) or type.name or type.kind


def test_records(catalogue: Catalogue) -> None:
    """An issue has one of two codes."""
    [code] = [
        f for f in catalogue.records["TaskRequirementIssue"].fields if not f.optional
    ]
    assert (code.name, code.type.words, code.type.open) == ("code", ISSUE_CODES, False)


@pytest.mark.parametrize("cls", CLASSES, ids=names(CLASSES))
def test_attributes(catalogue: Catalogue, cls: Class) -> None:
    """A class says where a caller meets it, and a code of one class says the same."""
    assert catalogue.classes[cls.name].attributes == cls.attributes
    for key in cls.codes:
        code = catalogue.codes[key]
        if len(code.classes) == 1:
            assert code.attributes == cls.attributes
        else:
            assert code.attributes == {"surfaces": ["thrown"], "raised": "thrown"}


def test_attributes_of_the_packages(python: ModuleType, typescript: TypeScript) -> None:
    """Both packages tell the attributes of each class, which TypeScript has in camelCase."""
    for cls in EXPORTED:
        found = getattr(python, cls.name).attributes
        assert json.loads(json.dumps(found)) == cls.attributes
    assert python.errors.OmaValidationError.attributes["exit_code"] == 2
    assert python.OmaError.attributes == {}
    told = typescript(
        "console.log(JSON.stringify(given.map((name) => errors[name].attributes)));",
        [*names(EXPORTED), BASE],
    )
    wanted = [{camel(k): v for k, v in c.attributes.items()} for c in EXPORTED]
    assert told == [*wanted, {}]


def test_exports(python: ModuleType, typescript: TypeScript) -> None:
    """The packages offer every class but the one that nothing exports."""
    wanted = sorted([BASE, *names(EXPORTED)])
    assert sorted(n for n in python.__all__ if n.endswith("Error")) == wanted
    told = typescript("console.log(JSON.stringify(Object.keys(errors)));", None)
    assert sorted(n for n in told if n.endswith("Error") and n[0].isupper()) == wanted
    declared = (typescript.folder / "index.d.ts").read_text()
    assert "OmaValidationError" not in declared


class Foreign(Exception):
    """An error of somebody else."""

    def __init__(self, **attributes: object) -> None:
        self.__dict__.update(attributes)


@pytest.mark.parametrize(("status", "retryable"), STATUSES)
def test_foreign_errors(
    python: ModuleType, status: int | None, retryable: bool
) -> None:
    """A foreign error is judged by its status; without one a retry may help."""
    error = Foreign() if status is None else Foreign(status=status)
    assert python.is_retryable_error(error) is retryable
    assert python.get_retryable(error) is None


def test_foreign_errors_in_typescript(typescript: TypeScript) -> None:
    """TypeScript judges them alike; and what was cancelled is not retried."""
    script = """
    const judged = given.map((status) => {
      const error = status === null ? new Error("m") : Object.assign(new Error("m"), { status });
      return [errors.isRetryableError(error), errors.getRetryable(error) === undefined];
    });
    const abort = new DOMException("m", "AbortError");
    console.log(JSON.stringify([...judged, errors.isRetryableError(abort)]));
    """
    wanted = [[retryable, True] for _, retryable in STATUSES]
    assert typescript(script, [status for status, _ in STATUSES]) == [*wanted, False]


def make(python: ModuleType, made: Made) -> Any:
    """Make an error in Python."""
    fields = {snake(name): value for name, value in made.fields.items()}
    if made.cause:
        fields["cause"] = ValueError("why")
    several = len(made.cls.codes) > 1 and "reason" not in made.cls.fields
    first = (made.code,) if several or made.code == OPEN_CODE else ()
    return getattr(python, made.cls.name)(*first, "m", **fields)


@pytest.mark.parametrize("cls", EXPORTED, ids=names(EXPORTED))
def test_every_choice_of_fields_in_python(python: ModuleType, cls: Class) -> None:
    """With each of its codes and any of its optional fields a class can be made; it goes
    to the wire and comes back."""
    for case in [m for m in (*MAKINGS, *STAGES) if m.cls is cls]:
        error = make(python, case)
        assert type(error).__name__ == cls.name
        assert (error.message, error.retryable) == ("m", cls.retryable)
        assert isinstance(error, python.OmaError) is cls.in_union
        assert (error.__cause__ is not None) is case.cause
        for name in cls.fields:
            if name != "cause":
                value = getattr(error, snake(name))
                assert python._runtime.plain(value) == case.fields.get(name)
        if not cls.in_union:
            assert not hasattr(error, "code")
            with pytest.raises(TypeError):
                python.to_wire(error)
            continue
        assert error.code == case.code
        wire = python.to_wire(error)
        assert json.loads(json.dumps(wire)) == wire_form(case, cls.retryable)
        again = python.from_wire(wire)
        assert type(again).__name__ == comes_back_as(case)
        assert (again.code, again.retryable) == (case.code, cls.retryable or _of(case))
        assert python.to_wire(again) == wire | {"retryable": again.retryable}
        assert (again.extra == {}) is (type(again) is type(error) or not case.fields)


def _of(made: Made) -> bool | None:
    """Return the verdict of what came back: of a code that nobody knows it is no."""
    return False if made.code == OPEN_CODE else made.cls.retryable


def test_every_choice_of_fields_in_typescript(typescript: TypeScript) -> None:
    """The same in TypeScript."""
    script = """
    console.log(JSON.stringify(given.map(({ name, first, options, cause, codeless }) => {
      if (cause) options.cause = new Error("why");
      const error = new errors[name](...first, "m", options);
      const { cause: _, ...own } = { ...error };
      const said = [error.name, error instanceof errors[name], error.cause !== undefined];
      if (codeless) {
        try { errors.toWire(error); } catch (fault) {
          return [...said, "code" in error, error.retryable, fault.name];
        }
      }
      const wire = JSON.parse(JSON.stringify(errors.toWire(error)));
      const again = errors.fromWire(wire);
      const sent = JSON.parse(JSON.stringify(errors.toWire(again)));
      return [...said, wire, again.name, { ...sent, retryable: wire.retryable }];
    })));
    """
    cases = [*MAKINGS, *STAGES]
    given = [
        {
            "name": case.cls.name,
            "first": (
                [case.code]
                if case.code == OPEN_CODE
                or (len(case.cls.codes) > 1 and "reason" not in case.cls.fields)
                else []
            ),
            "options": case.fields,
            "cause": case.cause,
            "codeless": not case.cls.in_union,
        }
        for case in cases
    ]
    for case, told in zip(cases, typescript(script, given), strict=True):
        assert told[:3] == [case.cls.name, True, case.cause]
        if not case.cls.in_union:
            assert told[3:] == [False, case.cls.retryable, "TypeError"]
            continue
        wire = wire_form(case, case.cls.retryable)
        assert told[3:] == [wire, comes_back_as(case), wire]


# A class, what is given to it (a code comes first), and what is wrong with it.
WRONG: tuple[tuple[str, tuple[Any, ...], dict[str, Any], str], ...] = (
    ("LLMCallTimeoutError", (), {"timeoutMs": "1s"}, "timeout"),
    ("LLMCallTimeoutError", (), {"timeoutMs": -1}, "timeout"),
    ("LLMCallTimeoutError", (), {"timeoutMs": 1, "agent": 7}, "agent"),
    ("LLMCallTimeoutError", (), {}, "timeout"),
    ("RoutingTimeoutError", (), {"timeoutMs": 1, "stage": "planner"}, "stage"),
    ("RoutingDeclarationRequiredError", (), {"reasons": "risk"}, "reasons"),
    ("EgressPolicyError", (), {"reason": "forbidden"}, "reason"),
    ("EgressPolicyError", (), {"reason": "denied", "origin": 1}, "origin"),
    ("EgressPolicyError", (), {}, "reason"),
    ("InvalidTaskRequirementsError", (), {"issues": [{"code": "OTHER"}]}, "code"),
    ("InvalidTaskRequirementsError", (), {"issues": [{"x": 1}]}, "issues"),
    ("StructuredOutputValidationError", (), {}, "cause"),
    ("JournalLineageError", (), {"messageIndex": 1.5, "blockIndex": 0, "blockType": "x"}, "ndex"),
    ("TraceStoreError", ("MISSING_SOURCE",), {}, "MISSING_SOURCE"),
    ("TraceStoreError", ("APPROVAL_CONFLICT",), {}, "APPROVAL_CONFLICT"),
    ("RunViewerInputError", ("INVALID_CURSOR",), {}, "INVALID_CURSOR"),
    ("DurableApprovalError", ("NO_SUCH_CODE",), {}, "NO_SUCH_CODE"),
    ("FileTraceStoreError", ("ANY",), {"lineNumber": "3"}, "line"),
    ("TaskProfileValidationError", (), {"usage": {"inputTokens": 1}}, "utput"),
    ("InvalidMessageError", (), {"agent": "a"}, "agent"),
)  # fmt: skip


@pytest.mark.parametrize(("cls", "first", "fields", "told"), WRONG)
def test_what_does_not_fit_is_refused_in_python(
    python: ModuleType, cls: str, first: Any, fields: dict[str, Any], told: str
) -> None:
    """A value that is none of its field's, a field that is missing or strange, and the
    code of another class are errors that name it."""
    given = {snake(name): value for name, value in fields.items()}
    with pytest.raises((TypeError, ValueError), match=told):
        getattr(python, cls)(*first, "m", **given)


def test_what_does_not_fit_is_refused_in_typescript(typescript: TypeScript) -> None:
    """The same in TypeScript."""
    script = """
    console.log(JSON.stringify(given.map(([name, first, options]) => {
      try { new errors[name](...first, "m", options); } catch (fault) {
        return [fault.name, fault.message];
      }
      return null;
    })));
    """
    for row, found in zip(WRONG, typescript(script, WRONG), strict=True):
        assert found is not None, row
        assert found[0] in ("TypeError", "RangeError"), row
        assert row[3] in found[1], (row, found)


OUTCOMES = {
    "TokenBudgetExceededError": ("budget_exhausted", "budget"),
    "CostBudgetExceededError": ("budget_exhausted", "budget"),
    "LLMCallTimeoutError": ("timeout", "timeout"),
    "RoutingTimeoutError": ("timeout", "timeout"),
    "EgressPolicyError": ("rejected", "validation"),
}
"""What a failed run says of the classes that the contract has a special case for."""

KINDS = {
    "InvalidMessageError": "callback",
    "StructuredOutputValidationError": "validation",
    "InvalidTaskRequirementsError": "validation",
}
"""Kinds that the contract names beside them, of whose status it says nothing."""


def outcome(made: Made) -> dict[str, Any]:
    """Return what a failed run says of an error."""
    name = made.cls.name
    status, kind = OUTCOMES.get(name, ("error", KINDS.get(name, "error")))
    # An error without a verdict is judged like any other without a status.
    retryable = made.cls.retryable is not False
    info = {"kind": kind, "message": "m", "code": made.code, "retryable": retryable}
    return {"status": {"code": status, "message": "m"}, "errorInfo": info}


def test_what_a_failed_run_says_in_python(python: ModuleType) -> None:
    """Of every class, by its special case or as of any error."""
    classify = importlib.import_module("oma_errors.classify").classify
    for made in MAKINGS:
        told = classify(make(python, made))
        told["errorInfo"] = told.pop("error_info")
        assert told == outcome(made), made
    text = "x" * 2000
    told = classify(asyncio.CancelledError(text))
    assert (told["status"]["code"], told["error_info"]["kind"]) == CANCELLED
    assert told["error_info"]["retryable"] is False
    assert len(told["status"]["message"]) == 256
    assert len(told["error_info"]["message"]) == 1024


CANCELLED = ("cancelled", "cancellation")


def test_what_a_failed_run_says_in_typescript(typescript: TypeScript) -> None:
    """The same; an SDK's error for an abort of the user is a cancellation too."""
    module = json.dumps(str(typescript.folder / "classify.js"))
    script = f"""
    const {{ classify }} = await import({module});
    class APIUserAbortError extends Error {{}}
    const aborts = [new DOMException("m", "AbortError"), new APIUserAbortError("m")];
    const made = given.map(({{ name, first, options, cause }}) => {{
      if (cause) options.cause = new Error("why");
      return classify(new errors[name](...first, "m", options));
    }});
    console.log(JSON.stringify([made, aborts.map((error) => classify(error))]));
    """
    given = [
        {
            "name": made.cls.name,
            "first": (
                [made.code]
                if made.code == OPEN_CODE
                or (len(made.cls.codes) > 1 and "reason" not in made.cls.fields)
                else []
            ),
            "options": made.fields,
            "cause": made.cause,
        }
        for made in MAKINGS
    ]
    told, aborts = typescript(script, given)
    for found, made in zip(told, MAKINGS, strict=True):
        found["errorInfo"].setdefault("code", None)  # JSON leaves undefined out
        assert found == outcome(made), made
    for found in aborts:
        assert (found["status"]["code"], found["errorInfo"]["kind"]) == CANCELLED
        assert found["errorInfo"]["retryable"] is False
