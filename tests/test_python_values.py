"""Errors of the generated Python as values: E1 to E3, E5, E7 and E8; two copies (V9)."""

from __future__ import annotations

import ast
import concurrent.futures
import copy
import functools
import importlib
import json
import multiprocessing
import pathlib
import pickle
import sys
import unittest.mock
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import pytest

from packages import generate, imported
from support import CASES, forget, run

Make = Callable[[Any], Any]
"""Makes an error of a package."""

ISSUE = {"code": "MISMATCH", "path": ["a"], "inner": [{"code": "NO_AGENT"}]}
BUDGET: dict[str, Any] = {
    "agent": "a",
    "tokens_used": 7,
    "took": 250,
    "at": "2027-01-31T12:00:00Z",
    "rate": 0.5,
    "flags": ["a", "b"],
    "issues": [ISSUE],
    "raw": {"k": [1, None, {"x": True}]},
    "args_": ["x"],
    "wait": "Wed, 21 Oct 2026 07:28:00 GMT",
    "scope": "another",
}
MADE: dict[str, Make] = {
    "base": lambda p: p.SinkError("ANY", "m"),
    "explicit": lambda p: p.SinkError("node_failed", "m", True),
    "pinned": lambda p: p.SinkError("budget", "m"),
    "one": lambda p: p.HTTPConnectError("m", status=503),
    "many": lambda p: p.StorageError("storage_corrupt", "m", line=3),
    "derived": lambda p: p.PolicyError("m", reason="denied", provider="x"),
    "open": lambda p: p.OpenError("anything", "m", path="x"),
    "full": lambda p: p.BudgetError(**BUDGET),
    "control": lambda p: p.HandoffError("m", signal=p.Issue(code="MISMATCH")),
    "no code": lambda p: p.Interrupt("m"),
    "record": lambda p: p.ProfileError("m", usage={"inputTokens": 1, "byModel": {}}),
    "extra": lambda p: p.from_wire({"code": "x", "message": "m", "k": [1]}),
    "noted": lambda p: noted(p.HTTPConnectError("m")),
}
OWN = ["ManyArguments", "NoArguments", "KeywordOnly", "TwoParents", "OwnArguments"]


def make_own(name: str, _: ModuleType) -> Any:
    return importlib.import_module("own_errors").made(name)


MADE.update({name: functools.partial(make_own, name) for name in OWN})


def noted(error: BaseException) -> BaseException:
    error.add_note("one")
    error.add_note("two")
    return error


@pytest.fixture(autouse=True, scope="module")
def own_classes(sink: ModuleType) -> Iterator[None]:
    """Make the user's module importable, here and in worker processes."""
    folder = str(CASES / "python_values")
    sys.path.insert(0, folder)
    yield
    sys.path.remove(folder)
    forget("own_errors")


def state(error: BaseException) -> tuple[object, ...]:
    """Return all that a copy must have too; records compare by value."""
    return type(error), error.args, str(error), repr(error), vars(error)


@pytest.mark.parametrize("name", MADE)
def test_E1_an_error_survives_copies(sink: ModuleType, name: str) -> None:
    """Pickle in protocols 2 to 5, copy and deepcopy keep class, fields, notes, stamp."""
    for stamp in None, True, False:
        error = MADE[name](sink)
        if stamp is not None:
            sink.stamp_retryable(error, stamp)
        copies = [pickle.loads(pickle.dumps(error, n)) for n in range(2, 6)]
        for copied in [*copies, copy.copy(error), copy.deepcopy(error)]:
            assert copied is not error
            assert state(copied) == state(error)
            assert sink.get_retryable(copied) is sink.get_retryable(error)
            assert sink.is_control(copied) is sink.is_control(error)


def test_E1_a_deep_copy_shares_nothing(sink: ModuleType) -> None:
    """A deep copy has values, notes and extras of its own."""
    error = noted(MADE["full"](sink))
    copied: Any = copy.deepcopy(error)
    copied.raw["k"].append(9)
    copied.add_note("three")
    copied.issues[0].code = "NO_AGENT"
    assert state(error) == state(noted(MADE["full"](sink)))


def test_E1_an_error_crosses_processes(sink: ModuleType) -> None:
    """Through a process pool: what a worker gets, gives back and raises is the error."""
    errors = [sink.stamp_retryable(make(sink), True) for make in MADE.values()]
    own = importlib.import_module("own_errors")
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(1, context) as pool:
        echoed = list(pool.map(own.echo, errors))
        raised = [pool.submit(own.fail, error).exception() for error in errors]
    for error, back, thrown in zip(errors, echoed, raised, strict=True):
        assert state(back) == state(error)
        assert thrown is not None
        assert state(thrown) == state(error)
        assert sink.get_retryable(thrown) is sink.get_retryable(error)


@pytest.mark.parametrize("name", MADE)
def test_E2_equality_is_identity(sink: ModuleType, name: str) -> None:
    """Two errors are never equal, and every one can stand in a set."""
    one, other = MADE[name](sink), MADE[name](sink)
    assert one == one
    assert one != other
    assert one != copy.copy(one)
    assert len({one, other, one}) == 2


def test_what_is_internal_is_not_offered(family: ModuleType) -> None:
    """A package offers its classes, but for internal ones: those stay in `.errors`."""
    offered = {name for name in family.__all__ if name.endswith("Error")}
    made = {name for name in vars(family.errors) if name.endswith("Error")}
    assert made - offered == {"HiddenError", "InnerError"}
    assert all(hasattr(family, name) for name in family.__all__)
    assert not hasattr(family, "HiddenError")


def test_E2_records_are_equal_by_value(sink: ModuleType) -> None:
    """A record is a value: equal where its fields are, and shown with them."""
    one = sink.Issue(code="MISMATCH", path=["a"])
    assert one == sink.Issue(code="MISMATCH", path=("a",))
    assert one != sink.Issue(code="NO_AGENT", path=["a"])
    assert one != sink.Usage(input_tokens=1)
    assert one.__eq__("MISMATCH") is NotImplemented
    assert one == unittest.mock.ANY
    assert repr(one) == "Issue(code='MISMATCH', path=('a',), inner=None)"


@pytest.mark.parametrize(
    ("make", "shown", "message"),
    [
        (lambda p: p.SinkError("X", "m"), "SinkError(code='X', message='m')", "m"),
        (lambda p: p.SinkError("X", ""), "SinkError(code='X', message='')", ""),
        (
            lambda p: p.HTTPConnectError("no 'x'", status=503),
            "HTTPConnectError(code='http.connect', message=\"no 'x'\", status=503)",
            "no 'x'",
        ),
        (
            lambda p: p.PolicyError("m", reason="denied"),
            "PolicyError(code='POLICY_DENIED', message='m', reason='denied')",
            "m",
        ),
        (lambda p: p.Interrupt("m"), "Interrupt(message='m')", "m"),
        (
            lambda p: p.BudgetError(agent="{a}", tokens_used=1),
            "BudgetError(code='budget', message='Agent {a} used 1 of {budget} tokens', "
            "agent='{a}', tokens_used=1, class_=True)",
            "Agent {a} used 1 of {budget} tokens",
        ),
        (
            lambda p: make_own("NoArguments", p),
            "NoArguments(code='MINE', message='it is mine')",
            "it is mine",
        ),
    ],
)
def test_E3_repr_tells_all_and_str_the_message(
    sink: ModuleType, make: Make, shown: str, message: str
) -> None:
    """`repr` names the class, the code and the fields; `str` is the message alone."""
    assert (repr(make(sink)), str(make(sink))) == (shown, message)


def test_E3_a_cause_is_the_native_one(sink: ModuleType) -> None:
    """A field `cause` is `__cause__`, as `raise … from` sets it."""
    inner = ValueError("inner")
    error = sink.BudgetError(agent="a", tokens_used=1, cause=inner)
    assert error.__cause__ is inner
    assert "cause" not in vars(error)


def test_E8_a_package_needs_the_standard_library_alone(package: ModuleType) -> None:
    """Every import is relative or of the standard library, but in the module for Starlette."""
    for file in pathlib.Path(str(package.__file__)).parent.glob("*.py"):
        allowed = sys.stdlib_module_names | {file.stem} & {"starlette"}
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    assert alias.name.partition(".")[0] in allowed
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                module = node.module or ""
                assert module.partition(".")[0] in allowed


def test_E7_importing_loads_no_typing_machinery(sink: ModuleType) -> None:
    """A program that imports a package pays for none of these modules."""
    folder = pathlib.Path(str(sink.__file__)).parent.parent
    heavy = {"typing", "dataclasses", "asyncio", "inspect", "re", "enum", "json"}
    code = (
        f"import sys; sys.path.insert(0, {str(folder)!r}); import sink_errors;"
        f"sink_errors.SinkError('X', 'm'); print(*({heavy} & set(sys.modules)))"
    )
    done = run(sys.executable, "-I", "-S", "-W", "error", "-c", code)
    assert (done.stdout.split(), done.stderr) == ([], "")


def test_V9_errors_cross_between_two_copies(
    sink: ModuleType, tmp_path: pathlib.Path
) -> None:
    """Two copies of a package in one process understand each other's errors."""
    with imported(generate(CASES / "catalogues" / "sink.yaml", tmp_path)) as other:
        assert other.SinkError is not sink.SinkError
        for name, make in MADE.items():
            if name in OWN:
                continue
            error = other.stamp_retryable(make(other), True)
            assert not isinstance(error, sink.Interrupt | sink.SinkError)
            for package in sink, other:
                assert package.get_retryable(error) is other.get_retryable(error)
                assert package.is_control(error) is other.is_control(error)
            if other.is_sink_error(error):
                assert sink.is_sink_error(error)
                assert sink.matches(error, error.code)
                wire = json.loads(json.dumps(sink.to_wire(error)))
                assert wire == json.loads(json.dumps(other.to_wire(error)))
                assert sink.from_wire(wire).code == error.code
        late = other.HTTPConnectError("m", status=503)
        assert sink.get_retryable(late, idempotent=True) is True
    assert sys.modules["sink_errors"] is sink


def test_E5_every_code_is_read(package: ModuleType) -> None:
    """Codes that Python never raises, and retired ones, are read all the same."""
    for info in package.CODES.values():
        for text in (*info.spellings, *info.aliases, info.wire):
            error = package.from_wire({"code": text, "message": "m"})
            assert (package.lookup(text), error.code) == (info, info.spelling)
            assert package.to_wire(error)["code"] == info.wire
            assert package.matches(error, info.code)


def test_E5_an_absent_code_has_its_reason(agent: ModuleType) -> None:
    """A code that Python never raises has no class, and the reason is told."""
    info = agent.CODES["FS_ESCAPE"]
    assert info.class_names == ()
    assert info.absent == {
        "python": "the model is told in a feedback message instead",
    }
    assert not hasattr(agent, "FSEscapeError")
    assert (
        type(agent.from_wire({"code": "FS_ESCAPE", "message": "m"})) is agent.AgentError
    )


@pytest.mark.parametrize("code", ["nope", "", "toString", "__class__", True, False, 7])
def test_E4_an_unknown_code_has_no_entry(sink: ModuleType, code: Any) -> None:
    """`lookup` knows the catalogue's codes and nothing else."""
    assert sink.lookup(code) is None
