"""Changes of what programs do with an error: retry it, answer with it, read it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..diagnostics import Path
from ..model import Answer, Retry, Verdict
from .change import Change
from .comparison import Comparison, Pair, normal

_WORDS: dict[Answer, str] = {True: "true", False: "false", None: "unset"}
UNSTATED = 500
"""The status with which a code without one is answered."""


def behaviour(c: Comparison, pairs: Iterable[Pair]) -> Iterator[Change]:
    """Compare verdicts, pins, statuses and attributes of codes or classes."""
    for pair in pairs:
        if pair.old.control != pair.new.control:
            became = (
                "is control flow now"
                if pair.new.control
                else "is no control flow any more"
            )
            message = f"{pair.label} {became}"
            place = c.places(pair, "control")
            yield Change("control-changed", message, pair.after, "", *place)
        else:
            yield from _verdict(c, pair)
            yield from _pin(c, pair)
        yield from _status(c, pair)
        yield from _attributes(c, pair)


def _verdict(c: Comparison, pair: Pair) -> Iterator[Change]:
    old, new = pair.old.verdict, pair.new.verdict
    if old == new or normal(old, c.code_names) == normal(new):
        return
    place = c.places(pair, "retryable")
    step = f"{_said(old)} → {_said(new)}"
    if any(v and v.conditional for v in (old, new)):
        said = "" if _said(old) == _said(new) else f": {step}"
        message = f"{pair.label} is retried by other rules{said}"
        yield Change("rules-changed", message, pair.after, "", *place)
    else:
        message = f"{pair.label} has another verdict: {step}"
        detail = step.replace(" ", "")
        yield Change("verdict-flipped", message, pair.after, detail, *place)


def _said(verdict: Verdict | None) -> str:
    if verdict is None:
        return "none"
    if verdict.follows:
        return f"follows {verdict.follows}"
    count = len(verdict.rules)
    rules = f"{count} rule{'s' * (count > 1)}, else " if count else ""
    return rules + _WORDS[verdict.default]


def _pin(c: Comparison, pair: Pair) -> Iterator[Change]:
    place = c.places(pair, "pinned")
    if pair.old.pinned and not pair.new.pinned:
        message = f"{pair.label} is not pinned any more: a stamp can change its verdict"
        yield Change("pin-dropped", message, pair.after, "", *place)
    elif pair.new.pinned and not pair.old.pinned:
        message = f"{pair.label} is pinned now: no stamp changes its verdict"
        yield Change("pin-added", message, pair.after, "", *place)


def _status(c: Comparison, pair: Pair) -> Iterator[Change]:
    if not (c.old.has_statuses and c.new.has_statuses):
        return  # that is told once, of the catalogue
    old, new = pair.old.http or UNSTATED, pair.new.http or UNSTATED
    if old == new:
        return
    kind = "status-changed" if old // 100 == new // 100 else "status-class-changed"
    message = f"{pair.label} is answered with {new}, not with {old}"
    yield Change(kind, message, pair.after, f"{old}→{new}", *c.places(pair, "http"))


def statuses(c: Comparison) -> Iterator[Change]:
    """Compare whether anything is said of HTTP."""
    if c.old.has_statuses and not c.new.has_statuses:
        yield Change("http-removed", "no code has an HTTP status any more", ())
    elif c.new.has_statuses and not c.old.has_statuses:
        yield Change("http-added", "codes have HTTP statuses now", ())


def _attributes(c: Comparison, pair: Pair) -> Iterator[Change]:
    old, new = pair.old.attributes, pair.new.attributes
    declared = c.old.catalogue.attributes, c.new.catalogue.attributes
    for name in dict.fromkeys([*old, *new]):
        was, now = old.get(name), new.get(name)
        if was == now or any(name not in some for some in declared):
            continue  # that an attribute is gone is told once
        place = c.places(pair, "attributes", name)
        said = f"{pair.label}'s attribute {name!r}"
        if was is None:
            message = f"{said} is {_value(now)} now"
            yield Change("attribute-added", message, pair.after, name, *place)
        else:
            rest = "gone" if now is None else f"{_value(now)}, not {_value(was)}"
            message = f"{said} is {rest}"
            yield Change("attribute-changed", message, pair.after, name, *place)


def _value(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else repr(value)


def retry(c: Comparison) -> Iterator[Change]:
    """Compare the retry layer and its knobs."""
    old, new = c.old.catalogue.retry, c.new.catalogue.retry
    if bool(old) != bool(new):
        message = "there is a retry layer now" if new else "the retry layer is gone"
        kind = "retry-added" if new else "retry-removed"
        path = ("retry",)
        yield Change(
            kind, message, (), "layer", path if old else None, path if new else None
        )
        return
    shared = [(name, old[name], new[name]) for name in old if name in new]
    if not shared:
        return
    before, after = shared[0][1].wrappers, shared[0][2].wrappers
    for name in dict.fromkeys([*before, *after]):
        if name not in after:
            message = f"the retry layer's wrapper {name!r} is gone"
            yield Change("retry-removed", message, (), name, ("retry",), ("retry",))
        elif name not in before:
            message = f"the retry layer's wrapper {name!r} is new"
            yield Change("retry-added", message, (), name, None, ("retry", "wrappers"))
    for knob in Retry.__struct_fields__:
        steps = {n: (getattr(a, knob), getattr(b, knob)) for n, a, b in shared}
        changed = [name for name, (was, now) in steps.items() if was != now]
        if knob == "wrappers" or not changed:
            continue
        was, now = steps[changed[0]]
        where = "" if len(changed) == len(shared) else f" in {', '.join(changed)}"
        message = (
            f"{knob} of the retry layer is {_value(now)}{where}, not {_value(was)}"
        )
        place = ("retry", knob)
        yield Change("retry-changed", message, (), knob, place, place)


def foreign_errors(c: Comparison) -> Iterator[Change]:
    """Compare what is said of errors of others, and how a run's errors are classified."""
    old, new = c.old.catalogue, c.new.catalogue
    path: Path = ("foreign_errors",)
    judged = normal(old.foreign_errors) != normal(new.foreign_errors)
    if judged or set(old.cancellations) != set(new.cancellations):
        message = "errors that the catalogue does not define are judged otherwise"
        yield Change("foreign-errors-changed", message, (), "", path, path)
    was, now = old.classification, new.classification
    path = ("classification",)
    if was == now:
        return
    if now is None:
        message = "errors are not classified any more"
        yield Change("classification-removed", message, (), "", path)
    elif was is None:
        message = "errors are classified now"
        yield Change("classification-added", message, (), "", None, path)
    else:
        message = "errors are classified otherwise"
        yield Change("classification-changed", message, (), "", path, path)
