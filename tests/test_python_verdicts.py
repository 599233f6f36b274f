"""What the generated Python says of verdicts: V1, V2, V6, H1 and H2."""

from __future__ import annotations

import asyncio
import concurrent.futures
import http
import inspect
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from foreign import ERRORS, NOT_VERDICTS, Attributed, Slotted

Make = Callable[[Any], Any]
"""Makes an error of a package."""


@pytest.mark.parametrize(
    ("make", "verdict"),
    [
        (lambda p: p.AgentError("ANY_CODE", "m"), False),
        (lambda p: p.AgentError("ANY_CODE", "m", True), True),
        (lambda p: p.AgentError(code="ANY_CODE", message="m", retryable=True), True),
        (lambda p: p.AgentError(retryable=False, message="m", code="ANY_CODE"), False),
    ],
)
def test_V1_the_base_class_takes_any_code(
    agent: ModuleType, make: Make, verdict: bool
) -> None:
    """The base takes any code, by position or keyword, and says False unless told."""
    error = make(agent)
    assert (error.code, error.message, error.retryable) == ("ANY_CODE", "m", verdict)


def test_V1_the_base_class_says_False_even_of_a_known_code(agent: ModuleType) -> None:
    """A base that is no code's class does not look a code up."""
    assert agent.CODES["TIMEOUT"].retryable is True
    assert agent.AgentError("TIMEOUT", "m").retryable is False


@pytest.mark.parametrize(
    ("code", "told", "verdict"),
    [
        ("node_timeout", None, True),
        ("timeout_of_node", None, True),
        ("node_failed", None, False),
        ("rate_limited", None, True),
        ("http.connect", None, None),
        ("no such code", None, False),
        ("node_timeout", False, False),
        ("no such code", True, True),
    ],
)
def test_V1_a_base_class_with_codes_knows_them(
    sink: ModuleType, code: str, told: bool | None, verdict: bool | None
) -> None:
    """Where codes are raised with the base itself, its default is the code's verdict."""
    assert sink.SinkError(code, "m", told).retryable is verdict


def test_V1_other_classes_default_to_the_verdict_of_the_catalogue(
    agent: ModuleType,
) -> None:
    """Below the base `retryable` is None by default: what the catalogue says."""
    for info in agent.CODES.values():
        for name in info.class_names:
            cls = getattr(agent, name)
            assert inspect.signature(cls).parameters["retryable"].default is None
            if name != "SwarmHandoffError":  # it needs a signal
                assert cls("m").retryable is info.retryable
                assert cls("m", retryable=True).retryable is True


@pytest.mark.parametrize("value", NOT_VERDICTS, ids=repr)
def test_V1_an_explicit_verdict_is_a_bool(agent: ModuleType, value: object) -> None:
    """What the maker states as the verdict is a real bool, as a stamp is."""
    with pytest.raises(TypeError, match="True or False"):
        agent.AgentError("X", "m", value)
    if value is not None:
        with pytest.raises(TypeError, match="True or False"):
            agent.RunTimeoutError("m", retryable=value)
        with pytest.raises(TypeError, match="True or False"):
            agent.ModelError("m", retryable=value)


@pytest.mark.parametrize(
    ("make", "stamp", "verdict"),
    [
        (lambda p: ValueError("m"), None, None),
        (lambda p: ValueError("m"), True, True),
        (lambda p: p.SimpleError("m"), None, False),
        (lambda p: p.SimpleError("m"), True, True),
        (lambda p: p.SimpleError("m", retryable=True), None, True),
        (lambda p: p.SimpleError("m", retryable=True), False, False),
        (lambda p: p.OddError("m"), None, None),
        (lambda p: p.OddError("m"), False, False),
        (lambda p: p.PinError("m"), None, True),
        (lambda p: p.PinError("m"), False, True),
        (lambda p: p.PinError("m", retryable=False), False, True),
        (lambda p: "no error", None, None),
    ],
)
def test_V2_pin_then_stamp_then_own_field(
    family: ModuleType, make: Make, stamp: bool | None, verdict: bool | None
) -> None:
    """`get_retryable`: pinned, then the stamp, then the error's own field, then None."""
    error = make(family)
    if stamp is not None:
        family.stamp_retryable(error, stamp)
    assert family.get_retryable(error) is verdict


def test_V2_only_an_unset_verdict_is_None(package: ModuleType) -> None:
    """An error of the catalogue has a verdict, unless the catalogue leaves it unset."""
    for info in package.CODES.values():
        error = package.from_wire({"code": info.code, "message": "m"})
        unset = None in {info.retryable, *(rule.then for rule in info.rules)}
        assert package.get_retryable(error) is not None or unset


BUDGET = {"agent": "a", "tokens_used": 1}
WIRE_BUDGET = {"code": "budget", "message": "m", "retryable": True}


@pytest.mark.parametrize(
    "make",
    [
        lambda p: p.BudgetError(**BUDGET),
        lambda p: p.BudgetError(**BUDGET, retryable=True),
        lambda p: p.SinkError("budget", "m", True),
        lambda p: p.OpenError("budget", "m", retryable=True),
        lambda p: p.SinkError("handoff", "m", True),
        lambda p: p.Interrupt("m", retryable=True),
        lambda p: p.HandoffError("m", signal={"code": "MISMATCH"}, retryable=True),
        lambda p: p.from_wire(WIRE_BUDGET),
        lambda p: p.from_wire({**WIRE_BUDGET, "agent": "a", "tokensUsed": 1}),
    ],
)
def test_V6_nothing_moves_a_pinned_verdict(sink: ModuleType, make: Make) -> None:
    """Neither a stamp, nor an argument, nor the wire moves what is pinned."""
    error = sink.stamp_retryable(make(sink), True)
    assert sink.get_retryable(error) is False
    assert sink.get_retryable(error, idempotent=True) is False
    assert error.retryable is False


@pytest.mark.parametrize(
    ("make", "pinned", "control"),
    [
        (lambda p: p.PinError("m"), True, False),
        (lambda p: p.FreeError("m"), False, False),
        (lambda p: p.ManyError("MANY_FREE", "m"), False, False),
        (lambda p: p.ManyError("MANY_PIN", "m"), True, False),
        (lambda p: p.StopError("m"), True, True),
        (lambda p: p.GoError("m"), False, False),
    ],
)
def test_V6_a_pin_is_the_codes_own(
    family: ModuleType, make: Make, pinned: bool, control: bool
) -> None:
    """A code that lifts the pin of the class which it extends can be stamped."""
    error = make(family)
    verdict = family.get_retryable(error)
    family.stamp_retryable(error, not verdict)
    assert family.get_retryable(error) is (verdict if pinned else not verdict)
    assert family.is_control(error) is control


@pytest.mark.parametrize(
    ("make", "verdict"),
    [
        (lambda: Attributed(status=503), True),
        (lambda: Attributed(status=404), False),
        (lambda: Attributed(status_code=404), False),
        (lambda: Attributed(status=http.HTTPStatus.NOT_FOUND), False),
        (lambda: Attributed(response=Attributed(status_code=404)), False),
        (lambda: Attributed(response=Attributed(status=409)), True),
        (lambda: Attributed(status="no", status_code=404), False),
        (lambda: Slotted(404), False),
        (lambda: ValueError("m"), True),
    ],
)
def test_H1_a_foreign_error_is_judged_by_its_status(
    sink: ModuleType, make: Callable[[], BaseException], verdict: bool
) -> None:
    """The catalogue's rules judge a numeric status, its `else` judges the rest."""
    error = make()
    assert sink.is_retryable_error(error) is verdict
    assert sink.get_retryable(error) is None


@pytest.mark.parametrize(
    "error",
    [
        asyncio.CancelledError(),
        concurrent.futures.CancelledError(),
        KeyboardInterrupt(),
        SystemExit(1),
        GeneratorExit(),
        BaseExceptionGroup("m", [KeyboardInterrupt(), ValueError()]),
    ],
    ids=lambda error: type(error).__name__,
)
def test_H1_a_cancellation_is_not_retried(sink: ModuleType, error: Any) -> None:
    """Nobody wants cancelled work done again, whatever status it carries."""
    assert sink.is_retryable_error(error) is False
    error.__dict__["status"] = 503
    assert sink.is_retryable_error(error) is False
    assert sink.is_retryable_error(sink.stamp_retryable(error, True)) is True


@pytest.mark.parametrize("name", ERRORS)
def test_H1_the_answer_is_True_or_False(package: ModuleType, name: str) -> None:
    """`is_retryable_error` says True or False of anything, and no answer is an error."""
    assert package.is_retryable_error(ERRORS[name]()) in (True, False)


def test_H1_without_foreign_errors_nothing_foreign_is_retried(
    agent: ModuleType,
) -> None:
    """A catalogue that says nothing of foreign errors lets none be retried."""
    assert agent.is_retryable_error(Attributed(status=503)) is False


def test_H1_an_unset_verdict_is_judged_like_a_foreign_one(sink: ModuleType) -> None:
    """Where `get_retryable` is None, the error's status counts."""
    assert sink.is_retryable_error(sink.HTTPConnectError("m", status=429)) is True
    assert sink.is_retryable_error(sink.HTTPConnectError("m", status=400)) is False


@pytest.mark.parametrize(
    ("status", "counts"),
    [
        (400, True),
        (599, True),
        (399, False),
        (600, False),
        (200, False),
        (0, False),
        (-404, False),
        (True, False),
        ("503", False),
        (float("nan"), False),
        (None, False),
        ([503], False),
        (10**400, False),
    ],
)
def test_H2_a_status_is_a_number_from_400_to_599(
    family: ModuleType, status: object, counts: bool
) -> None:
    """Anything else in a status counts as no status (this catalogue retries any)."""
    assert family.is_retryable_error(Attributed(status=status)) is counts
