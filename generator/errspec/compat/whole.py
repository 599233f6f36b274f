"""Changes of the catalogue as a whole, and of its groups."""

from __future__ import annotations

from collections.abc import Iterator

from ..diagnostics import Path
from .change import Change
from .comparison import Comparison

PROMISES = ("none", "semver", "additive")
"""What `compatibility` may be, the strictest last."""


def whole(c: Comparison) -> Iterator[Change]:
    """Compare what is said of all codes at once."""
    old, new = c.old.catalogue, c.new.catalogue

    def changed(kind: str, message: str, *path: str, detail: str = "") -> Change:
        old_place = path if c.old.value(path) is not None else None
        return Change(kind, message, (), detail, old_place, path)

    if old.id != new.id:
        message = f"the packages are named after {new.id!r}, not {old.id!r}"
        yield changed("package-renamed", message, "id", detail=f"{old.id}→{new.id}")
    if old.wire_case != new.wire_case:
        message = f"fields are in {new.wire_case} case on the wire, not in {old.wire_case} case"
        yield changed("envelope-changed", message, "envelope", detail="case")
    if old.fields_under != new.fields_under:
        at = [
            f"under {x.fields_under!r}" if x.fields_under else "beside the code"
            for x in (new, old)
        ]
        message = f"fields stand {at[0]} on the wire, not {at[1]}"
        yield changed("envelope-changed", message, "envelope", detail="fields_under")
    for name in old.languages:
        if name not in new.languages:
            message = f"{name} raises no code any more, and has no package"
            yield changed("language-lost", message, "languages", detail=name)
    for name in new.languages:
        if name not in old.languages:
            message = f"{name} raises the codes now"
            yield changed("language-gained", message, "languages", detail=name)
    steps = PROMISES.index(old.compatibility), PROMISES.index(new.compatibility)
    if steps[0] != steps[1]:
        message = f"compatibility is {new.compatibility}, not {old.compatibility}"
        kind = (
            "compatibility-loosened"
            if steps[1] < steps[0]
            else "compatibility-tightened"
        )
        yield changed(kind, message, "compatibility")
    if old.docs_url != new.docs_url:
        message = "links to the docs lead elsewhere"
        yield changed("docs-url-changed", message, "docs_url")


def groups(c: Comparison) -> Iterator[Change]:
    """Compare the groups, and which codes are in them."""
    old, new = c.old.catalogue.groups, c.new.catalogue.groups
    for name in old:
        if name not in new:
            path: Path = ("groups", name)
            message = f"the group {name!r} is gone"
            yield Change("group-removed", message, path, "", path, ("groups",))
    for name in new:
        if name not in old:
            path = ("groups", name)
            yield Change("group-added", f"the group {name!r} is new", path, new=path)
    for pair in c.raised:
        was, now = set(pair.old.groups), set(pair.new.groups)
        left, joined = (was - now) & new.keys(), (now - was) & old.keys()
        if left or joined:  # where a group is gone or new, that says it
            said = " and ".join(f"left {g!r}" for g in sorted(left))
            said += " and " * bool(left and joined)
            said += " and ".join(f"joined {g!r}" for g in sorted(joined))
            message = f"{pair.label} {said}"
            place = c.places(pair, "group")
            yield Change("group-changed", message, pair.after, "", *place)
