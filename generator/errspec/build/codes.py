"""Codes: which classes carry them, what they inherit, and that spellings are unique."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from ..diagnostics import Path, did_you_mean
from ..model import Code, ErrorClass, Retirement, Verdict
from ..schema import text
from .classes import (
    agree,
    check_control,
    check_use,
    read_attributes,
    read_deprecated,
    read_groups,
    unite_fields,
)
from .messages import message_parts, read_message
from .scope import Scope, few, item_path, optional, prose
from .sharing import check_shared_fields
from .spellings import check_spellings, read_languages
from .types import read_fields, read_value
from .verdicts import check_cycles, read_verdict


def read_codes(
    scope: Scope, classes: Mapping[str, ErrorClass], class_per_code: bool
) -> dict[str, Code]:
    """Read all codes. Two passes: `follows` and tests need to know every group."""
    entries: dict[str, tuple[Any, _Place]] = {}
    for key, raw in scope.sound("codes"):
        place = _find_place(scope, key, raw, classes, class_per_code)
        groups = read_groups(scope, raw, ("codes", key))
        if place is not None:
            groups = groups or agree(
                scope, "group", place.parents, lambda c: c.groups, ("codes", key)
            ) or ()
            place.groups = groups
            entries[key] = raw, place
        for group in groups:
            scope.add_member(group, key)
    scope.close_groups()
    codes: dict[str, Code] = {}
    counts = _count_codes(scope)
    for key, (raw, place) in entries.items():
        place.whole = _whole(scope, place, counts)
        code = _read_code(scope, key, raw, place)
        if code is not None and scope.is_sound("codes", key):
            codes[key] = code
    check_shared_fields(scope, classes, codes)
    check_cycles(scope, codes)
    check_spellings(scope, codes)
    return codes


_CLASS_NAME = re.compile("[A-Z][A-Za-z0-9]*")


class _Place:
    """Where a code stands among the classes."""

    def __init__(self) -> None:
        self.carriers: tuple[str, ...] = ()
        self.own = False
        self.name: str | None = None
        self.extends: str | None = None
        self.parents: list[ErrorClass] = []
        self.groups: tuple[str, ...] = ()
        self.whole: ErrorClass | None = None


def _count_codes(scope: Scope) -> Counter[str]:
    """Count the codes of each class, those set aside included."""
    codes = scope.section("codes", {}).values()
    return Counter(
        name
        for raw in codes
        if isinstance(raw, dict) and "retired" not in raw
        for name in few(raw.get("class"))
    )


def _whole(scope: Scope, place: _Place, counts: Counter[str]) -> ErrorClass | None:
    """Return the class that is there for the one code: its texts go for the code too."""
    if len(place.carriers) != 1:
        return None
    [found] = place.parents
    alone = counts[found.name] == 1 and not found.open and found.name != scope.base
    return found if alone else None


def _find_place(
    scope: Scope,
    key: str,
    raw: Any,
    classes: Mapping[str, ErrorClass],
    class_per_code: bool,
) -> _Place | None:
    """Tell which classes carry a code; None where one of them was set aside."""
    path: Path = ("codes", key)
    place = _Place()
    stated = few(raw.get("class"))
    declared = [scope.base, *scope.names("classes")]
    retired = "retired" in raw
    if stated in ((), ("none",)):
        place.own = not stated and class_per_code and not retired
    elif len(stated) == 1 and stated[0] not in declared and class_per_code:
        place.own, place.name = not retired, stated[0]
        if not _CLASS_NAME.fullmatch(place.name):
            own = place.name[:1].upper() + place.name[1:]
            near = [*declared, own] if _CLASS_NAME.fullmatch(own) else declared
            scope.error(
                "class-name",
                f"{place.name!r} cannot name a class",
                (*path, "class"),
                mend=did_you_mean(place.name, near) or "use PascalCase, or none",
            )
        elif mend := did_you_mean(place.name, declared, cutoff=85):
            scope.warn(
                "class-name",
                f"no class {place.name} is declared: it names this code's own",
                (*path, "class"),
                mend,
            )
    else:
        for index, name in enumerate(stated):
            if name not in declared:
                where = item_path((*path, "class"), raw["class"], index)
                scope.unknown("class", name, declared, where)
        place.carriers = stated
    if "extends" in raw:
        place.extends = text(raw["extends"])
        if not place.own:
            scope.error(
                "extends-class",
                (
                    "a retired code has no class any more"
                    if retired
                    else "a code that has no class of its own cannot say what that extends"
                ),
                (*path, "extends"),
                mend=(
                    "leave extends out"
                    if retired
                    else "leave extends out; the declared class says it"
                ),
            )
        elif place.extends == "none":
            place.extends = None
            return place
        elif place.extends not in declared:
            scope.unknown(
                "class", place.extends, [*declared, "none"], (*path, "extends")
            )
    elif place.own:
        place.extends = scope.base
    names = place.carriers or (place.extends or scope.base,)
    if any(name not in classes for name in names):
        scope.set_aside("codes", key)
        return None
    place.parents = [classes[name] for name in names]
    for parent in place.parents:
        if place.carriers and parent.abstract and not retired:
            scope.error(
                "abstract-class",
                f"{parent.name} is abstract: it carries no code",
                (*path, "class"),
                mend=f"extends: {parent.name}",
            )
    if retired:
        place.carriers = ()
    return place


def _read_code(scope: Scope, key: str, raw: Any, place: _Place) -> Code | None:
    path: Path = ("codes", key)
    parents = place.parents
    own = read_fields(scope, raw.get("fields"), (*path, "fields"))
    fields = unite_fields(scope, parents, own, path)

    def inherited(name: str) -> Any:
        if name in raw:
            return raw[name]
        return agree(scope, name, parents, lambda c: getattr(c, name), path)

    def shared(name: str, read: Callable[[Any], Any]) -> Any:
        """Read what the only code of a class may leave to the class."""
        return read(raw.get(name)) or (getattr(place.whole, name) if place.whole else read(None))

    control = inherited("control") or False
    verdict = _read_verdict(scope, raw, fields, place, control, path)
    pinned = control or inherited("pinned") or False
    if pinned and verdict and (verdict.conditional or verdict.default is None):
        scope.error(
            "pinned-verdict",
            "only true or false can be pinned",
            (*path, "pinned" if "pinned" in raw else "retryable"),
            mend="state one verdict, or leave pinned out",
        )
    const = _read_const(scope, raw, {f.name: f.type for f in fields}, path)
    message = read_message(scope, raw, fields, path) or agree(
        scope, "message", parents, lambda c: c.message, path
    )
    spoken = {text for is_field, text in message_parts(message or "") if is_field}
    if verdict:
        spoken |= {test.name for rule in verdict.rules for test in rule.when}
        spoken |= {verdict.follows} if verdict.follows else set()
    code = Code(
        key=key,
        meaning=shared("meaning", prose),
        verdict=verdict or Verdict(None),
        hint=shared("hint", prose),
        groups=place.groups,
        classes=place.carriers,
        own_class=place.own,
        class_name=place.name,
        extends=place.extends,
        pinned=pinned,
        control=control,
        fields=fields,
        own_fields=frozenset(spoken.union(const, (f.name for f in own))),
        const=const,
        raised_by=shared("raised_by", few),
        languages=read_languages(scope, raw, path),
        message=message,
        http=inherited("http"),
        wire=raw.get("wire"),
        aliases=few(raw.get("aliases")),
        since=optional(raw.get("since")),
        deprecated=read_deprecated(scope, raw, path),
        retired=_read_retired(scope, raw, path),
        internal=raw.get("internal", False),
        links=shared("links", few),
        attributes=read_attributes(scope, raw, path, parents),
        ignore={rule: prose(why) for rule, why in raw.get("ignore", {}).items()},
    )
    if not code.meaning and not code.retired and scope.is_sound("codes", key):
        scope.error(
            "missing-key",
            f"{key} needs 'meaning'",
            path,
            on="key",
            mend="add meaning: …",
        )
    return code if verdict else None


def _read_verdict(
    scope: Scope, raw: Any, fields: Any, place: _Place, control: bool, path: Path
) -> Verdict | None:
    if control:
        return check_control(scope, raw, path)
    if "retryable" in raw:
        return read_verdict(scope, raw["retryable"], fields, (*path, "retryable"))
    inherited = agree(scope, "retryable", place.parents, lambda c: c.verdict, path)
    if inherited is None and "retired" in raw:
        return Verdict(None)
    if inherited is None and scope.is_sound(*map(str, path)):
        scope.error(
            "no-verdict",
            f"{path[1]} has no verdict, and no class of its states one",
            path,
            on="key",
            mend="add retryable: true, false, unset or rules",
        )
    found: Verdict | None = inherited
    return found


def _read_const(
    scope: Scope, raw: Any, types: dict[str, Any], path: Path
) -> dict[str, Any]:
    const = {}
    for name, value in raw.get("const", {}).items():
        place = (*path, "const", name)
        if name in types:
            const[name] = read_value(scope, value, types[name], place)
        elif name not in raw.get("fields", {}):  # or else it is wrong, and was reported
            scope.unknown("field", name, types, place, on="key")
    return const


def _read_retired(scope: Scope, raw: Any, path: Path) -> Retirement | None:
    entry = raw.get("retired")
    if entry is None:
        return None
    use = check_use(scope, entry, (*path, "retired"))
    return Retirement(text(entry["since"]), prose(entry["reason"]), use)
