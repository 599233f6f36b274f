"""Makes findings of changes: by what the catalogue promised, less what is allowed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from ..diagnostics import Diagnostic, On, Path, Related, Severity
from .change import Change, Side
from .comparison import Comparison
from .kinds import BUMPS, KINDS, TOO_LOW, Bump, Kind


class Allowance(Struct, frozen=True):
    """A finding that was agreed on. Without `name` it holds for all of the catalogue."""

    rule: str
    reason: str
    name: str | None = None
    path: Path = ()
    """Where it stands in errspec.yaml."""


class Judged(Struct, frozen=True):
    """The findings of one comparison, and the allowances that they needed."""

    findings: tuple[Diagnostic, ...]
    used: frozenset[Path] = frozenset()


def judge(
    c: Comparison, changes: Iterable[Change], allowances: Sequence[Allowance] = ()
) -> Judged:
    """Return a finding for each change that may break somebody, as they stand.

    What the old catalogue promised counts: a change cannot release itself.
    """
    promise = c.old.catalogue.compatibility
    found: list[Diagnostic] = []
    used: set[Path] = set()
    unsaid: list[Change] = []
    for change in changes:
        kind = KINDS[change.kind]
        allowed = _allowance(allowances, change.kind, change.name)
        if allowed and kind.additive:
            used.add(allowed.path)
        if not allowed:
            unsaid.append(change)
        if kind.additive is None or (promise == "semver" and kind.bump != "major"):
            continue
        severity = kind.additive if promise == "additive" else "warning"
        found.append(finding(c, change, kind, severity, allowed))
    if promise == "semver" and (low := _too_low(c, unsaid)):
        allowed = _allowance(allowances, TOO_LOW.id, "")
        used.update({allowed.path} if allowed else ())
        found.append(finding(c, low, TOO_LOW, "error", allowed))
    found.sort(key=lambda d: (c.new.document.place(d)[:2], d.id, d.message))
    return Judged(tuple(found), frozenset(used))


def _allowance(
    allowances: Sequence[Allowance], kind: str, name: str
) -> Allowance | None:
    fit = (a for a in allowances if a.rule == kind and a.name in (None, name))
    return next(fit, None)


def finding(
    c: Comparison,
    change: Change,
    kind: Kind,
    severity: Severity,
    allowed: Allowance | None = None,
) -> Diagnostic:
    """Return a change as a diagnostic: it stands in the new document, where it is or
    would be, and shows the old one beside it."""
    new = _nearest(c.new, change.new or ())
    related: list[Related] = []
    if change.cause:
        message = "it has it from here"
        related.append(Related(message, change.cause, _on(c.new, change.cause)))
    if change.old:
        was = _nearest(c.old, change.old)
        gone = c.new.value(change.subject) is None
        message = "it stood here" if gone else "it was so here"
        related.append(Related(message, was, _on(c.old, was), file=c.old.document.name))
    facts = {
        "audience": kind.audience,
        "code": change.name,
        "fingerprint": change.fingerprint(c.old.catalogue.id),
        "bump": kind.bump,
    }
    message, mend = change.message, change.mend
    if allowed:
        severity, mend = "warning", None
        message += f" (allowed: {allowed.reason})"
        facts["allowed"] = allowed.reason
    return Diagnostic(
        kind.id,
        message,
        c.new.document.name,
        new,
        _on(c.new, new),
        mend,
        severity,
        tuple(related),
        facts=facts,
    )


def _nearest(side: Side, path: Path) -> Path:
    """Return a path, or as much of it as the document has."""
    while path and side.value(path) is None:
        path = path[:-1]
    return path


def _on(side: Side, path: Path) -> On:
    """Return which part of an entry to mark: its value where that is short."""
    return "key" if isinstance(side.value(path), dict | list) else "value"


def bump(changes: Iterable[Change]) -> Bump | None:
    """Return the bump that changes need; None where there are none."""
    found = (BUMPS.index(KINDS[change.kind].bump) for change in changes)
    most = max(found, default=None)
    return None if most is None else BUMPS[most]


def _too_low(c: Comparison, changes: Sequence[Change]) -> Change | None:
    """Return what is wrong with the new version, if anything is.

    Words alone need no new version. Before 1.0 the second number is for what breaks.
    """
    need = bump(changes)
    old, new = c.old.version, c.new.version
    was, now = c.old.catalogue.version, c.new.catalogue.version
    steps: Mapping[str, tuple[int, int, int]] = {
        "major": (old[0] + 1, 0, 0) if old[0] else (0, old[1] + 1, 0),
        "minor": (old[0], old[1] + 1, 0) if old[0] else (0, old[1], old[2] + 1),
        "patch": old,
    }
    if "-" in was and new == old and was != now:
        return None  # from one release candidate to the next all may change
    least = steps[need or "patch"]
    if new >= least:
        return None
    wanted = ".".join(map(str, least))
    message = f"the version {now} went back from {was}"
    if need in ("major", "minor") and new >= old:
        message = (
            f"the version moved from {was} to {now}, and these changes need {wanted}"
        )
        if was == now:
            message = f"the version stayed at {now}, and these changes need {wanted}"
    path = ("version",)
    mend = f"version: {wanted} (a {need or 'patch'} bump)"
    return Change(TOO_LOW.id, message, (), "", path, path, None, mend)
