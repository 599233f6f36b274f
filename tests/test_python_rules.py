"""Where a verdict of the generated Python comes from: rules P1 to P5 of the contract."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

Make = Callable[[Any], Any]
"""Makes an error of a package."""


@pytest.mark.parametrize(
    ("fields", "argument", "stamp", "verdict"),
    [
        ({"status": 404}, True, False, False),
        ({"status": 404}, True, None, True),
        ({"status": 404}, None, True, True),
        ({"status": 404}, None, None, False),
        ({"status": 500}, False, None, False),
        ({"status": 500}, None, None, None),
        ({}, None, None, None),
    ],
)
def test_P1_stamp_then_argument_then_rule_then_else(
    sink: ModuleType,
    fields: dict[str, Any],
    argument: bool | None,
    stamp: bool | None,
    verdict: bool | None,
) -> None:
    """A stamp beats an explicit argument, which beats the rules, which beat `else`."""
    error = sink.HTTPConnectError("m", **fields, retryable=argument)
    if stamp is not None:
        sink.stamp_retryable(error, stamp)
    assert sink.get_retryable(error) is verdict


@pytest.mark.parametrize(
    ("fields", "verdict"),
    [
        ({"tags": ["c", "a"], "on": True}, True),
        ({"tags": ["c"], "on": True}, False),
        ({"tags": ["a"], "on": False}, False),
        ({"tags": [], "on": None}, True),
        ({"tags": ("a",)}, True),
    ],
)
def test_P1_the_first_rule_that_matches_wins(
    sink: ModuleType, fields: dict[str, Any], verdict: bool
) -> None:
    """Rules are tried in order; a test on an absent field is false."""
    assert sink.FlaggedError("m", must="p", **fields).retryable is verdict


def test_P2_the_verdict_of_a_code_beats_an_HTTP_status(sink: ModuleType) -> None:
    """What a status says of foreign errors does not count for a code's own error."""
    broken = sink.StorageError("storage_corrupt", "m", line=1)
    late = sink.SinkError("node_timeout", "m")
    late.status = 404
    assert sink.lookup("storage_corrupt").http == 503
    assert sink.is_retryable_error(broken) is False
    assert sink.is_retryable_error(late) is True


def test_P3_a_verdict_is_computed_once(sink: ModuleType) -> None:
    """Fields that change after the error was made leave its verdict alone."""
    error = sink.HTTPConnectError("m", status=404)
    error.status = 500
    assert error.retryable is False
    assert sink.get_retryable(error) is False
    assert sink.get_retryable(error, attempt=9) is False


@pytest.mark.parametrize(
    ("followed", "verdict"),
    [
        ("rate_limited", True),
        ("timeout_of_node", True),
        ("auth", False),
        ("http.connect", None),
        ("no such code", False),
        ("", False),
        (None, False),
    ],
)
def test_P4_a_verdict_may_follow_another_code(
    sink: ModuleType, followed: str | None, verdict: bool | None
) -> None:
    """The named code's verdict, its `else` where it has rules; unknown: the own `else`."""
    assert sink.ModelError("m", model_error=followed).retryable is verdict


@pytest.mark.parametrize(("followed", "verdict"), [("AWAY", False), ("GONE", True)])
def test_P4_a_retired_code_has_no_verdict_to_follow(
    family: ModuleType, followed: str, verdict: bool
) -> None:
    """A retired code says nothing of retries any more, so the own `else` counts."""
    assert family.FollowError("m", what=followed).retryable is verdict


@pytest.mark.parametrize(
    ("status", "context", "verdict"),
    [
        (503, {}, None),
        (503, {"idempotent": True}, True),
        (503, {"idempotent": False}, None),
        (503, {"idempotent": 1}, None),
        (503, {"idempotent": "true"}, None),
        (503, {"nobody": "asked", "error": 1}, None),
        (404, {"idempotent": True}, False),
        (None, {"attempt": 2}, True),
        (None, {"attempt": 3}, None),
        (None, {"attempt": True}, None),
        (None, {"attempt": 2.0}, None),
    ],
)
def test_P5_who_retries_knows_more(
    sink: ModuleType, status: int | None, context: dict[str, Any], verdict: bool | None
) -> None:
    """Facts of the caller take part in the rules, and in nothing but that call."""
    error = sink.HTTPConnectError("m", status=status)
    before = error.retryable
    assert sink.get_retryable(error, **context) is verdict
    assert error.retryable is before


@pytest.mark.parametrize(
    ("make", "verdict"),
    [
        (lambda p: p.HTTPConnectError("m", status=503, retryable=False), False),
        (
            lambda p: p.stamp_retryable(p.HTTPConnectError("m", status=503), False),
            False,
        ),
        (
            lambda p: p.from_wire(
                {"code": "http.connect", "message": "m", "retryable": False}
            ),
            False,
        ),
        (lambda p: p.BudgetError(agent="a", tokens_used=1), False),
    ],
)
def test_P5_what_is_decided_stays_so(
    sink: ModuleType, make: Make, verdict: bool
) -> None:
    """A pin, a stamp, or an explicit verdict is not judged again."""
    error = make(sink)
    assert sink.get_retryable(error, idempotent=True, attempt=1) is verdict
    assert sink.is_retryable_error(error, idempotent=True, attempt=1) is verdict


@pytest.mark.parametrize(
    ("context", "verdict"),
    [
        ({"labels": ["z", "x"]}, True),
        ({"labels": ("y",)}, True),
        ({"labels": ["z"]}, False),
        ({"labels": ["z"], "why": "so"}, True),
        ({"labels": [], "why": "so"}, True),
        ({"labels": None, "why": "so"}, False),
        ({"labels": "x"}, False),
        ({"labels": {"x"}}, False),
        ({"why": "so"}, False),
    ],
)
def test_P5_a_fact_may_be_a_list(
    family: ModuleType, context: dict[str, Any], verdict: bool
) -> None:
    """Of a list one element suffices, and `any` asks only that there is a list."""
    error = family.LabelledError("m")
    assert family.get_retryable(error, **context) is verdict


def test_P5_facts_that_no_rule_asks_for_change_nothing(family: ModuleType) -> None:
    """A verdict that somebody set on the error by hand holds under any context."""
    error = family.GoError("m")
    error.retryable = False
    assert family.get_retryable(error, idempotent=True) is False


def test_P1_a_native_cause_can_decide(family: ModuleType) -> None:
    """A rule may ask whether a cause was given."""
    assert family.CausedError("m", cause=ValueError()).retryable is True
    assert family.CausedError("m").retryable is False
