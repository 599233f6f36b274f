"""The fields of errors that the generated Python makes: what they take, and hold."""

from __future__ import annotations

import http
from types import ModuleType
from typing import Any

import pytest

ISSUE = {"code": "MISMATCH", "path": ["a"], "inner": [{"code": "NO_AGENT"}]}


def nested(depth: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("field", "value", "held"),
    [
        ("agent", "", ""),
        ("tokens_used", -(10**30), -(10**30)),
        ("took", 0, 0),
        ("at", "2027-01-31T12:00:00Z", "2027-01-31T12:00:00Z"),
        ("at", "2027-01-31t12:00:00.5+01:00", "2027-01-31t12:00:00.5+01:00"),
        ("rate", 7, 7),
        ("rate", -0.5, -0.5),
        ("flags", ["a", "b", "a"], ("a", "b", "a")),
        ("flags", (), ()),
        ("raw", {"k": (1, None, {"x": True})}, {"k": [1, None, {"x": True}]}),
        ("raw", "text", "text"),
        ("args_", ["x"], ("x",)),
        ("wait", 0, 0),
        ("wait", 1.5, 1.5),
        ("wait", "Wed, 21 Oct 2026 07:28:00 GMT", "Wed, 21 Oct 2026 07:28:00 GMT"),
        ("scope", "x", "x"),
        ("scope", "any other text", "any other text"),
        ("took", None, None),
        ("raw", None, None),
    ],
)
def test_a_field_holds_its_value(
    sink: ModuleType, field: str, value: object, held: object
) -> None:
    """A value of the field's type is held; lists are tuples then, and None is absence."""
    error = sink.BudgetError("m", **{"agent": "a", "tokens_used": 1, field: value})
    assert getattr(error, field) == held
    assert type(getattr(error, field)) is type(held)
    assert (field in vars(error)) is (held is not None)


@pytest.mark.parametrize(
    ("field", "value", "fault"),
    [
        ("agent", 5, TypeError),
        ("agent", None, TypeError),
        ("agent", b"a", TypeError),
        ("tokens_used", "7", TypeError),
        ("tokens_used", 7.0, TypeError),
        ("tokens_used", True, TypeError),
        ("took", -1, ValueError),
        ("took", 1.5, TypeError),
        ("at", "yesterday", ValueError),
        ("at", "2027-01-31", ValueError),
        ("at", "2027-01-31T12:00:00", ValueError),
        ("at", "٢٠27-01-31T12:00:00Z", ValueError),
        ("at", "2027-01-31T12:00:00Z\n", ValueError),
        ("at", 0, TypeError),
        ("rate", "1", TypeError),
        ("rate", True, TypeError),
        ("rate", float("nan"), ValueError),
        ("rate", float("inf"), ValueError),
        ("rate", float("-inf"), ValueError),
        ("flags", "a", TypeError),
        ("flags", {"a"}, TypeError),
        ("flags", ["c"], ValueError),
        ("flags", [None], ValueError),
        ("issues", [{}], TypeError),
        ("issues", [{"code": "NOPE"}], ValueError),
        ("issues", [{**ISSUE, "strange": 1}], TypeError),
        ("issues", [{"code": "MISMATCH", "path": [1]}], TypeError),
        ("issues", ["MISMATCH"], TypeError),
        ("raw", {1: "x"}, TypeError),
        ("raw", {"k": {"x"}}, TypeError),
        ("raw", [float("nan")], ValueError),
        ("raw", object(), TypeError),
        ("raw", nested(101), ValueError),
        ("raw", nested(10_000), ValueError),
        ("args_", [1], TypeError),
        ("wait", -1, ValueError),
        ("wait", True, TypeError),
        ("wait", [], TypeError),
        ("cause", "text", TypeError),
        ("cause", ValueError, TypeError),
        ("scope", 5, TypeError),
        ("nothing", 1, TypeError),
        ("class_", True, TypeError),
    ],
)
def test_a_value_outside_its_type_is_refused(
    sink: ModuleType, field: str, value: object, fault: type[Exception]
) -> None:
    """Such a value is a TypeError or a ValueError when the error is made, naming it."""
    with pytest.raises(fault, match=f"{field}|code|path"):
        sink.BudgetError("m", **{"agent": "a", "tokens_used": 1, field: value})


@pytest.mark.parametrize("status", [100, 599, http.HTTPStatus.NOT_FOUND])
def test_a_status_is_a_whole_number_from_100_to_599(
    sink: ModuleType, status: int
) -> None:
    """Each end is a status, and what lies beyond is none."""
    assert sink.HTTPConnectError("m", status=status).status == status
    for wrong in 99, 600, -404:
        with pytest.raises(ValueError, match="status"):
            sink.HTTPConnectError("m", status=wrong)
    for odd in "404", 404.0, True:
        with pytest.raises(TypeError, match="status"):
            sink.HTTPConnectError("m", status=odd)


def test_a_record_takes_its_wire_form_too(sink: ModuleType) -> None:
    """A record may be given as its form on the wire; what is held is the record."""
    error = sink.HandoffError("m", signal=ISSUE)
    issue = sink.Issue(code="MISMATCH", path=["a"], inner=[sink.Issue(code="NO_AGENT")])
    assert error.signal == issue
    assert sink.ProfileError(usage={"inputTokens": 1}).usage.by_model is None
    with pytest.raises(TypeError, match="input_tokens"):
        sink.ProfileError(usage={"input_tokens": 1})


@pytest.mark.parametrize(
    ("make", "fault"),
    [
        (lambda p: p.StorageError("POLICY_DENIED", "m"), ValueError),
        (lambda p: p.StorageError("08P01", "m"), ValueError),
        (lambda p: p.StorageError("storage_corrupt", "m"), TypeError),
        (lambda p: p.SinkError("eval_failed", "m"), TypeError),
        (lambda p: p.PolicyError("m", reason="other"), ValueError),
        (lambda p: p.PolicyError("m", reason=["denied"]), TypeError),
        (lambda p: p.PolicyError("m"), TypeError),
        (lambda p: p.TransportError("m"), TypeError),
        (lambda p: p.HTTPConnectError(), TypeError),
        (lambda p: p.HTTPConnectError("m", 503), TypeError),
        (lambda p: p.BudgetError(agent="a"), TypeError),
    ],
)
def test_a_class_takes_its_own_codes_and_fields(
    sink: ModuleType, make: Any, fault: type[Exception]
) -> None:
    """A code of another class, and a field that the code needs, are asked for at once."""
    with pytest.raises(fault):
        make(sink)


def test_a_code_may_fix_a_field(family: ModuleType) -> None:
    """A fixed field is there without being given; given otherwise, it is refused."""
    assert family.RoundError().kind == "round"
    assert family.MixedError("MIXED", "m").tags == ("b",)
    assert family.MixedError("MIXED", "m", tags=["b"], raw=[1, "x"]).tags == ("b",)
    assert family.MixedError("MIXED_FREE", "m").tags is None
    for wrong in {"tags": ["a"]}, {"tags": ["b", "b"]}, {"raw": [1]}:
        with pytest.raises(ValueError, match=next(iter(wrong))):
            family.MixedError("MIXED", "m", **wrong)


def test_a_message_may_come_from_fields(family: ModuleType, sink: ModuleType) -> None:
    """A template makes the message where none is given; braces in values stay."""
    assert str(family.RoundError()) == "a round of {1}"
    assert str(family.RoundError("my own")) == "my own"
    assert str(family.ListedError()) == "{x}, true, 3"
    made = sink.BudgetError(agent="{agent} %s", tokens_used=2)
    assert made.message == "Agent {agent} %s used 2 of {budget} tokens"
