"""Errors of the generated Python on the wire: rule E4 of the contract."""

from __future__ import annotations

import json
import types
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

import pytest

Make = Callable[[Any], Any]
"""Makes an error of a package."""

ISSUE = {"code": "MISMATCH", "path": ["a"], "inner": [{"code": "NO_AGENT"}]}
LEAST = {"agent": "a", "tokensUsed": 7}


def read(package: ModuleType, data: Mapping[str, Any]) -> Any:
    """Read an error, and see that nothing of it is lost on the way back."""
    error = package.from_wire(data)
    wire = package.to_wire(error)
    again = package.from_wire(wire)
    assert repr(package.to_wire(again)) == repr(wire)
    assert (type(again), repr(again)) == (type(error), repr(error))
    rest = {k: v for k, v in data.items() if k not in ("code", "message", "details")}
    details = data.get("details")
    kept = wire.get("details", {})
    if isinstance(details, dict):
        rest |= {k: v for k, v in details.items() if v is not None}
    elif details is not None:
        rest["details"] = details
    if isinstance(rest.get("retryable"), bool | None):
        rest.pop("retryable", None)
    assert repr({k: kept.get(k) for k in rest}) == repr(rest)
    return error


@pytest.mark.parametrize(
    ("code", "details", "cls", "spelling"),
    [
        ("nope", {}, "SinkError", "nope"),
        (99, {}, "SinkError", "99"),
        ("toString", {}, "SinkError", "toString"),
        ("__class__", {}, "SinkError", "__class__"),
        ("node_timeout", {}, "SinkError", "node_timeout"),
        ("timeout_of_node", {}, "SinkError", "node_timeout"),
        (1205, {}, "SinkError", "node_timeout"),
        ("1205", {}, "SinkError", "1205"),
        ("08P01", {"path": "a"}, "StorageError", "storage_odd"),
        ("storage_odd", {}, "StorageError", "storage_odd"),
        ("POLICY_DENY", {}, "PolicyError", "POLICY_DENIED"),
        ("POLICY_DENIED", {"reason": "denied"}, "PolicyError", "POLICY_DENIED"),
        ("POLICY_DENIED", {"reason": "invalid"}, "SinkError", "POLICY_DENIED"),
        ("POLICY_DENIED", {"reason": ["denied"]}, "SinkError", "POLICY_DENIED"),
        ("open_one", {"path": "x"}, "OpenError", "open_one"),
        ("shared_code", {"path": "x"}, "SinkError", "shared_code"),
        ("rate_limited", {"any": 1}, "SinkError", "rate_limited"),
        ("only_ts", {"any": 1}, "SinkError", "only_ts"),
        ("OLD", {"any": 1}, "SinkError", "OLD"),
        ("http.connect", {"status": 503}, "HTTPConnectError", "http.connect"),
        ("http.connect", {"status": None}, "HTTPConnectError", "http.connect"),
        ("http.connect", {"status": True}, "SinkError", "http.connect"),
        ("http.connect", {"status": 600}, "SinkError", "http.connect"),
        ("model_failed", {"modelError": "auth"}, "ModelError", "model_failed"),
        ("model_failed", {"model_error": "auth"}, "ModelError", "model_failed"),
        ("eval_failed", {}, "SinkError", "eval_failed"),
        ("storage_corrupt", {"line": 3}, "StorageError", "storage_corrupt"),
        ("storage_corrupt", {}, "SinkError", "storage_corrupt"),
        ("handoff", {"signal": ISSUE}, "HandoffError", "handoff"),
        ("handoff", {"signal": {**ISSUE, "new": 1}}, "SinkError", "handoff"),
        ("handoff", {"signal": [ISSUE]}, "SinkError", "handoff"),
        ("handoff", {"signal": {}}, "SinkError", "handoff"),
        ("handoff", "text", "SinkError", "handoff"),
    ],
)
def test_E4_the_class_follows_from_code_and_fields(
    sink: ModuleType, code: object, details: object, cls: str, spelling: str
) -> None:
    """Any spelling gives the code's class; what does not fit gives the base class."""
    error = read(sink, {"code": code, "message": "m", "details": details})
    assert (type(error).__name__, error.code, error.message) == (cls, spelling, "m")
    assert sink.is_sink_error(error)
    info = sink.lookup(code)
    wanted = info.retryable if info and not info.retired else False
    assert error.retryable is wanted or info.rules


@pytest.mark.parametrize(
    ("wrong", "cls"),
    [
        ({}, "BudgetError"),
        ({"agent": 5}, "SinkError"),
        ({"agent": None}, "SinkError"),
        ({"tokensUsed": "7"}, "SinkError"),
        ({"tokensUsed": True}, "SinkError"),
        ({"tokensUsed": 7.0}, "SinkError"),
        ({"tokens_used": 8}, "BudgetError"),
        ({"took": -1}, "SinkError"),
        ({"took": 0}, "BudgetError"),
        ({"at": "yesterday"}, "SinkError"),
        ({"at": "2027-01-31T12:00:00Z"}, "BudgetError"),
        ({"rate": float("nan")}, "SinkError"),
        ({"rate": 7}, "BudgetError"),
        ({"rate": False}, "SinkError"),
        ({"flags": "a"}, "SinkError"),
        ({"flags": ["a", "z"]}, "SinkError"),
        ({"flags": []}, "BudgetError"),
        ({"issues": [ISSUE, {}]}, "SinkError"),
        ({"issues": [ISSUE]}, "BudgetError"),
        ({"issues": {"0": ISSUE}}, "SinkError"),
        ({"raw": [{"k": [None]}]}, "BudgetError"),
        ({"args": ["x"]}, "BudgetError"),
        ({"args_": ["x"]}, "BudgetError"),
        ({"class": True}, "BudgetError"),
        ({"class": False}, "SinkError"),
        ({"Retry-After": "120"}, "BudgetError"),
        ({"Retry-After": -1}, "SinkError"),
        ({"scope": "any"}, "BudgetError"),
        ({"scope": 5}, "SinkError"),
        ({"cause": "text"}, "BudgetError"),
        ({"extra": {"x": 1}}, "BudgetError"),
        ({"self": 1, "message": "other", "code": "x"}, "BudgetError"),
    ],
    ids=repr,
)
def test_E4_every_type_is_checked(
    sink: ModuleType, wrong: dict[str, Any], cls: str
) -> None:
    """A value outside its field's type, or a missing one, gives the base class."""
    data = {"code": "budget", "message": "m", "details": {**LEAST, **wrong}}
    error = read(sink, data)
    assert (type(error).__name__, error.code) == (cls, "budget")
    assert sink.get_retryable(error) is False


def test_E4_values_of_any_depth_are_read(sink: ModuleType) -> None:
    """What is nested too deeply to check is kept as it is, in the base class."""
    issue: dict[str, Any] = {"code": "MISMATCH"}
    raw: list[Any] = []
    for _ in range(900):
        issue = {"code": "MISMATCH", "inner": [issue]}
        raw = [raw]
    for details in {**LEAST, "issues": [issue]}, {**LEAST, "raw": raw}:
        data = {"code": "budget", "message": "m", "details": details}
        assert sink.from_wire(data).extra == details


@pytest.mark.parametrize(
    ("told", "verdict", "extra"),
    [
        (True, True, {}),
        (False, False, {}),
        (None, False, {}),
        ("yes", False, {"retryable": "yes"}),
        (1, False, {"retryable": 1}),
        (0, False, {"retryable": 0}),
    ],
)
@pytest.mark.parametrize("code", ["node_failed", "nope"])
def test_E4_the_wire_says_the_verdict(
    sink: ModuleType, code: str, told: object, verdict: bool, extra: dict[str, Any]
) -> None:
    """A bool on the wire counts as an explicit verdict; anything else is an extra."""
    error = read(sink, {"code": code, "message": "m", "retryable": told})
    assert sink.get_retryable(error) is verdict
    assert error.extra == extra


def test_E4_extra_keys_are_kept(sink: ModuleType, agent: ModuleType) -> None:
    """What no field is called stays in `.extra`, and the class is the code's."""
    data = {"code": "http.connect", "message": "m", "trace": "t"}
    error = read(sink, {**data, "details": {"status": 404, "new": [1]}})
    assert type(error) is sink.HTTPConnectError
    assert (error.status, error.extra) == (404, {"trace": "t", "new": [1]})
    beside = {"code": "MODEL_ERROR", "message": "m", "status": 503, "details": {"x": 1}}
    flat = agent.from_wire(beside)
    assert type(flat) is agent.ModelError
    assert (flat.status, flat.extra) == (503, {"details": {"x": 1}})
    assert agent.to_wire(flat) == {**beside, "retryable": True}


@pytest.mark.parametrize(
    ("make", "wire"),
    [
        (lambda p: p.SinkError("ANY", "m"), {"code": "ANY", "retryable": False}),
        (lambda p: p.SinkError("ANY", "m", True), {"code": "ANY", "retryable": True}),
        (
            lambda p: p.SinkError("timeout_of_node", "m"),
            {"code": 1205, "retryable": True},
        ),
        (
            lambda p: p.StorageError("storage_odd", "m", path="a"),
            {"code": "08P01", "retryable": False, "details": {"path": "a"}},
        ),
        (
            lambda p: p.HTTPConnectError("m", status=503),
            {"code": "http.connect", "retryable": None, "details": {"status": 503}},
        ),
        (
            lambda p: p.stamp_retryable(p.HTTPConnectError("m"), True),
            {"code": "http.connect", "retryable": True},
        ),
        (
            lambda p: p.BudgetError(
                "m", agent="a", tokens_used=7, args_=("x",), wait=2
            ),
            {
                "code": "budget",
                "retryable": False,
                "details": {**LEAST, "args": ["x"], "class": True, "Retry-After": 2},
            },
        ),
        (
            lambda p: p.HandoffError("m", signal=p.Issue(code="MISMATCH", path=())),
            {
                "code": "handoff",
                "retryable": False,
                "details": {"signal": {"code": "MISMATCH", "path": []}},
            },
        ),
    ],
)
def test_E4_an_error_is_plain_data(
    sink: ModuleType, make: Make, wire: dict[str, Any]
) -> None:
    """`to_wire` gives what JSON can hold: wire value, message, verdict, then fields."""
    data = sink.to_wire(make(sink))
    assert data == {"message": "m", **wire}
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    assert list(data)[:3] == ["code", "message", "retryable"]


def test_E4_fields_may_stand_beside_the_code(agent: ModuleType) -> None:
    """Where the envelope names no place for fields, they follow the verdict."""
    data = agent.to_wire(agent.ModelError("m", status=503, reason="network"))
    keys = ["code", "message", "retryable", "status", "reason"]
    assert list(data) == keys
    assert list(data.values()) == ["MODEL_ERROR", "m", True, 503, "network"]


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        ({}, ValueError),
        ({"message": "m"}, ValueError),
        ({"code": "budget"}, ValueError),
        ({"code": None, "message": "m"}, ValueError),
        ({"code": "budget", "message": None}, ValueError),
        ({"code": True, "message": "m"}, TypeError),
        ({"code": 1.5, "message": "m"}, TypeError),
        ({"code": ["budget"], "message": "m"}, TypeError),
        ({"code": {}, "message": "m"}, TypeError),
        ({"code": "budget", "message": 5}, TypeError),
        ({"code": "budget", "message": ["m"]}, TypeError),
        (None, TypeError),
        ("budget", TypeError),
        (5, TypeError),
        (["code", "message"], TypeError),
    ],
    ids=repr,
)
def test_E4_without_code_or_message_there_is_no_error(
    package: ModuleType, data: Any, fault: type[Exception]
) -> None:
    """Only what has no code or no message cannot be read, and says so."""
    with pytest.raises(fault):
        package.from_wire(data)


def test_E4_reading_leaves_the_data_alone(sink: ModuleType) -> None:
    """`from_wire` takes any mapping, and changes nothing in it."""
    details = {**LEAST, "new": 1}
    data = {"code": "budget", "message": "m", "retryable": True, "details": details}
    before = json.dumps(data)
    error = sink.from_wire(types.MappingProxyType(data))
    error.extra["more"] = 2
    assert json.dumps(data) == before


def test_E4_a_const_of_another_type_is_no_match(family: ModuleType) -> None:
    """True and 1 are equal in Python, and two values on the wire."""
    fields = {"tags": ["a", "b"], "word": "{x}", "ok": True, "count": 3}
    wire = {"code": "LISTED", "message": "m", **fields}
    assert type(family.from_wire(wire)) is not family.FamilyError
    kept = family.from_wire({**wire, "ok": 1})
    assert type(kept) is family.FamilyError
    assert kept.extra["ok"] == 1
