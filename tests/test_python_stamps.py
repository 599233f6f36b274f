"""Stamps and brands of the generated Python: rules V3 to V5 and V7 to V10."""

from __future__ import annotations

import copy
import functools
import json
import pickle
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from foreign import ERRORS, NOT_VERDICTS, Reduced, Slotted

KEY = "__errspec_retryable__"


def pickled(protocol: int, error: Any) -> Any:
    return pickle.loads(pickle.dumps(error, protocol))


COPIES: dict[str, Callable[[Any], Any]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    **{f"pickle{n}": functools.partial(pickled, n) for n in range(2, 6)},
}


def outside(error: BaseException) -> tuple[object, ...]:
    """Return what a stamp must leave alone."""
    args = BaseException.args.__get__(error)  # type: ignore[attr-defined]
    return type(error), args, repr(error), str(error)


@pytest.mark.parametrize("stamp", [True, False])
@pytest.mark.parametrize("name", ERRORS)
def test_V3_a_stamp_leaves_everything_else_alone(
    sink: ModuleType, name: str, stamp: bool
) -> None:
    """The stamped object is the same one, with its type, args, repr and str."""
    error = ERRORS[name]()
    before = outside(error)
    assert sink.get_retryable(error) is None
    assert sink.stamp_retryable(error, stamp) is error
    assert sink.get_retryable(error) is stamp
    assert outside(error) == before


def test_V3_a_stamp_leaves_an_own_error_alone(sink: ModuleType) -> None:
    """An error of the catalogue too keeps its message, its fields, its own verdict."""
    error = sink.HTTPConnectError("m", status=404)
    before = outside(error), error.message, error.status, error.code
    assert sink.stamp_retryable(error, True) is error
    assert before == (outside(error), error.message, error.status, error.code)
    assert error.retryable is False


@pytest.mark.parametrize("value", NOT_VERDICTS, ids=repr)
def test_V4_only_a_bool_is_a_stamp(sink: ModuleType, value: Any) -> None:
    """Anything but a real bool is refused, and in the channel counts as no mark."""
    with pytest.raises(TypeError, match="True or False"):
        sink.stamp_retryable(ValueError(), value)
    for error, own in (ValueError(), None), (sink.FlaggedError("m", must="p"), True):
        error.__dict__[KEY] = value
        assert sink.get_retryable(error) is own


@pytest.mark.parametrize("stamps", [(False, True), (True, False), (True, False, True)])
def test_V5_the_last_stamp_wins(sink: ModuleType, stamps: tuple[bool, ...]) -> None:
    """A stamp replaces the one before, in both directions."""
    for error in ValueError(), sink.SinkError("node_failed", "m"):
        for stamp in stamps:
            sink.stamp_retryable(error, stamp)
        assert sink.get_retryable(error) is stamps[-1]


def test_V7_the_channel_is_a_key_of_the_errors_dict(sink: ModuleType) -> None:
    """The stamp is written to and read from `__dict__`, by everyone under one key."""
    for error in ValueError(), Slotted(503), sink.SinkError("node_failed", "m"):
        assert sink.stamp_retryable(error, True).__dict__[KEY] is True
        error.__dict__[KEY] = False
        assert sink.get_retryable(error) is False


def test_V7_class_attributes_are_no_channel(sink: ModuleType) -> None:
    """Neither a class attribute nor a property of that name is taken for a stamp."""
    odd = type("Odd", (Exception,), {KEY: True})
    assert sink.get_retryable(odd()) is None


@pytest.mark.parametrize("stamp", [True, False])
@pytest.mark.parametrize("way", COPIES)
def test_V8_a_stamp_survives_copies(sink: ModuleType, way: str, stamp: bool) -> None:
    """On our errors always, on others where their own reduce keeps `__dict__`."""
    for error in (
        sink.SinkError("node_failed", "m"),
        sink.FlaggedError("m", must="p"),
        ValueError("m"),
        FileNotFoundError(2, "m"),
    ):
        copied = COPIES[way](sink.stamp_retryable(error, stamp))
        assert type(copied) is type(error)
        assert copied is not error
        assert sink.get_retryable(copied) is stamp
    assert (
        sink.get_retryable(COPIES[way](sink.stamp_retryable(Reduced("m"), True)))
        is None
    )


def test_V8_the_wire_form_says_the_verdict_itself(sink: ModuleType) -> None:
    """JSON has no stamp; it says what the stamp made of the verdict."""
    error = sink.stamp_retryable(sink.SinkError("node_failed", "m"), True)
    data = json.loads(json.dumps(sink.to_wire(error)))
    assert data["retryable"] is True
    read = sink.from_wire(data)
    assert KEY not in read.__dict__
    assert sink.get_retryable(read) is True
    assert sink.get_retryable(sink.stamp_retryable(read, False)) is False


def test_V9_every_class_has_the_brand(sink: ModuleType) -> None:
    """The brand is the catalogue's id, and stands on the class with pin and control."""
    for name, pinned, control in (
        ("SinkError", None, False),
        ("BudgetError", False, False),
        ("HandoffError", False, True),
        ("Interrupt", False, True),
    ):
        cls = getattr(sink, name)
        assert cls.__errspec__ == "sink"
        assert cls.__errspec_pinned__ is pinned
        assert cls.__errspec_control__ is control


class Strange(Exception):
    """An error as another version of a generated package may have it."""

    __errspec__ = "sink"
    __errspec_pinned__ = None
    __errspec_control__ = False
    code = "timeout_of_node"
    retryable = True


def test_V9_an_error_is_recognised_by_its_brand(sink: ModuleType) -> None:
    """A class that this package did not define counts by its brand."""
    assert sink.get_retryable(Strange()) is True
    assert sink.is_sink_error(Strange())
    assert sink.matches(Strange(), "node_timeout")
    pinned = type("Pinned", (Strange,), {"__errspec_pinned__": False})
    assert sink.get_retryable(sink.stamp_retryable(pinned(), True)) is False
    control = type("Control", (Strange,), {"__errspec_control__": True})
    assert sink.is_control(control())


def test_V9_of_another_catalogue_only_the_verdict_counts(
    sink: ModuleType, agent: ModuleType
) -> None:
    """`matches` and `is_…_error` ask for the own catalogue, verdicts and control do not."""
    error = agent.AgentError("node_timeout", "m", True)
    assert sink.get_retryable(error) is True
    assert not sink.is_sink_error(error)
    assert not sink.matches(error, "node_timeout")
    with pytest.raises(TypeError, match="no error of this catalogue"):
        sink.to_wire(error)
    handoff = agent.SwarmHandoffError("m", signal={"to": "x", "message": "y"})
    assert sink.is_control(handoff)
    assert sink.get_retryable(sink.stamp_retryable(handoff, True)) is False


@pytest.mark.parametrize(
    ("code", "asked", "answer"),
    [
        ("POLICY_DENIED", "POLICY_DENIED", True),
        ("POLICY_DENIED", "POLICY_DENY", True),
        ("POLICY_DENIED", "POLICY_INVALID", False),
        ("POLICY_DENY", "POLICY_DENIED", True),
        ("node_timeout", "timeout_of_node", True),
        ("mine", "mine", True),
        ("mine", "other", False),
    ],
)
def test_V9_matches_knows_every_spelling(
    sink: ModuleType, code: str, asked: str, answer: bool
) -> None:
    """A code is matched under any of its spellings and aliases."""
    assert sink.matches(sink.SinkError(code, "m"), asked) is answer


@pytest.mark.parametrize("thing", [None, 1, "POLICY_DENIED", ValueError(), Exception])
def test_V9_nothing_else_is_an_error_of_the_catalogue(
    sink: ModuleType, thing: object
) -> None:
    """What is no error of the catalogue matches no code, and asking is never an error."""
    assert not sink.is_sink_error(thing)
    assert not sink.matches(thing, "POLICY_DENIED")
    assert sink.get_retryable(thing) is None
    assert not sink.is_control(thing)


@pytest.mark.parametrize(
    ("leaves", "verdict"),
    [
        ([True], True),
        ([True, True], True),
        ([False], False),
        ([True, None], None),
        ([None], None),
        ([None, False], False),
        ([True, [True, [True]]], True),
        ([True, [True, [False]]], False),
        ([True, [True, None]], None),
        ([[None], [False, True]], False),
    ],
)
def test_V10_a_group_is_judged_by_its_leaves(
    sink: ModuleType, leaves: list[Any], verdict: bool | None
) -> None:
    """A group is False if any leaf is, True if all are; its own stamp comes first."""

    def make(leaf: Any) -> Exception:
        if isinstance(leaf, list):
            return ExceptionGroup("m", [make(inner) for inner in leaf])
        error = ValueError("m")
        return error if leaf is None else sink.stamp_retryable(error, leaf)

    group = make(leaves)
    assert sink.get_retryable(group) is verdict
    for stamp in True, False:
        assert sink.get_retryable(sink.stamp_retryable(group, stamp)) is stamp


def test_V10_a_group_with_control_flow_in_it_is_control_flow(sink: ModuleType) -> None:
    """One leaf that is control flow makes the whole group so, at any depth."""
    inner = ExceptionGroup("m", [ValueError("m"), sink.Interrupt("m")])
    group = BaseExceptionGroup("m", [KeyboardInterrupt(), inner])
    assert sink.is_control(group)
    assert not sink.is_control(ExceptionGroup("m", [ValueError("m")]))
    assert sink.get_retryable(group) is False
