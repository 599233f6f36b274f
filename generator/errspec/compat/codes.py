"""Changes of codes: which there are, and what stands for them on the wire."""

from __future__ import annotations

from collections.abc import Iterator

from ..diagnostics import Path, listed
from ..model import Code
from .change import Change, Side, texts
from .comparison import Comparison, Pair

_RETIRE = "keep it: retired: {since: …, reason: …}"


def codes(c: Comparison) -> Iterator[Change]:
    """Compare which codes there are, what they are called and how they are spelt."""
    yield from _gone(c)
    names = set(c.code_names.values())
    for key in c.new.codes:
        if key not in names:
            yield Change(
                "code-added", f"{key} is new", ("codes", key), new=("codes", key)
            )
    for pair in c.codes:
        if pair.before != pair.after:
            yield _renamed(c, pair)
    for pair in c.changed_codes:
        yield from _life(c, pair)
        yield from _wire_value(c, pair)
        yield from _spellings(c, pair)
    yield from _readings(c)


def _gone(c: Comparison) -> Iterator[Change]:
    for key, code in c.old.codes.items():
        if key in c.code_names:
            continue
        path: Path = ("codes", key)
        place = c.neighbour("codes", key)
        if code and code.retired:
            message = (
                f"the retired code {key} is gone: who still sends it is not understood"
            )
            yield Change(
                "retired-code-removed",
                message,
                path,
                "",
                path,
                place,
                None,
                "put it back",
            )
            continue
        message = f"{key} is gone"
        if code and code.deprecated and code.deprecated.sunset:
            message += f", which was to stay until {code.deprecated.sunset}"
        elif code and code.deprecated:
            message += f", which is deprecated since {code.deprecated.since}"
        yield Change("code-removed", message, path, "", path, place, None, _RETIRE)


def _renamed(c: Comparison, pair: Pair) -> Change:
    old, new = str(pair.before[1]), str(pair.after[1])
    detail = f"{old}→{new}"
    at = (pair.before, pair.after, None)
    if new in c.old.codes:
        message = f"{new} means now what {old} meant"
        return Change("code-swapped", message, pair.after, detail, *at)
    if old.casefold() == new.casefold():
        message = f"{new} was spelt {old}"
        return Change(
            "code-case-changed",
            message,
            pair.after,
            detail,
            *at,
            f"did you mean {old}?",
        )
    assert isinstance(pair.new, Code)
    kept = old in texts(pair.new)
    message = f"{old} is called {new} now, and {'still' if kept else 'not'} read under its old name"
    return Change("code-renamed", message, pair.after, detail, *at, f"keep {old}")


def _life(c: Comparison, pair: Pair) -> Iterator[Change]:
    old, new = pair.old, pair.new
    assert isinstance(old, Code) and isinstance(new, Code)
    before, after = (*pair.before, "retired"), (*pair.after, "retired")
    if new.retired and not old.retired:
        use = f"; use {new.retired.use}" if new.retired.use else ""
        message = f"{pair.label} is retired: no package raises it any more{use}"
        yield Change("code-retired", message, pair.after, "", pair.before, after)
    elif old.retired and not new.retired:
        since = f"which was retired in {old.retired.since}"
        mend = "retire it again, and add a new code"
        if old.meaning and old.meaning == new.meaning:
            message = f"{pair.label}, {since}, is raised again"
            yield Change(
                "retirement-undone",
                message,
                pair.after,
                "",
                before,
                pair.after,
                None,
                mend,
            )
        else:
            message = f"{pair.label}, {since}, is used again: deployed clients know it as something else"
            yield Change(
                "code-reused", message, pair.after, "", before, pair.after, None, mend
            )


def _wire_value(c: Comparison, pair: Pair) -> Iterator[Change]:
    old, new = pair.old, pair.new
    assert isinstance(old, Code) and isinstance(new, Code)
    if old.wire == new.wire and type(old.wire) is type(new.wire):
        return
    was = old.key if old.wire is None else old.wire
    now = new.key if new.wire is None else new.wire
    if (was == now and type(was) is type(now)) or {was, now} == {old.key, new.key}:
        return
    message = f"{pair.label} is {now!r} on the wire, not {was!r}"
    place = c.places(pair, "wire")
    yield Change("wire-value-changed", message, pair.after, f"{was!r}→{now!r}", *place)


def _spellings(c: Comparison, pair: Pair) -> Iterator[Change]:
    """Compare what languages call a code; a new key is told as that."""
    old, new = pair.old, pair.new
    assert isinstance(old, Code) and isinstance(new, Code)
    names = {old.key: new.key}
    for language, _, _ in c.languages:
        was, now = (
            (local.code if (local := code.languages.get(language)) else None)
            or code.key
            for code in (old, new)
        )
        if was != now and names.get(was) != now:
            message = f"{language} spells {pair.label} as {now}, not as {was}"
            place = c.places(pair, "languages", language, "code")
            detail = f"{language}:{was}→{now}"
            yield Change("spelling-changed", message, pair.after, detail, *place)


def _readings(c: Comparison) -> Iterator[Change]:
    """Compare which texts are read as which code; wire values are told on their own."""
    before, after = _read(c.old), _read(c.new)
    lost: dict[str, list[str]] = {}
    come: dict[str, list[str]] = {}
    back = {to: key for key, to in c.code_names.items()}
    for text, (owner, place) in before.items():
        stays = c.code_names.get(owner)
        if text not in after:
            if stays and text != owner:  # else the code is told as gone, or renamed
                lost.setdefault(stays, []).append(text)
        elif after[text][0] != stays and not text == owner == after[text][0]:
            now, new = after[text]
            message = f"{text!r} stands for {now}, not for {owner}"
            yield Change("spelling-moved", message, ("texts", text), "", place, new)
    for text, (owner, _) in after.items():
        if text not in before and owner in back and text != owner:
            come.setdefault(owner, []).append(text)
    for key, gone in lost.items():
        message = f"{_listed(gone)} not read as {key} any more"
        mend = f"aliases: [{', '.join(gone)}]"
        at = (before[gone[0]][1], ("codes", key), None)
        yield Change(
            "alias-removed", message, ("codes", key), ",".join(gone), *at, mend
        )
    for key, new_texts in come.items():
        message = f"{_listed(new_texts)} read as {key} too"
        place = after[new_texts[0]][1]
        yield Change(
            "alias-added", message, ("codes", key), ",".join(new_texts), new=place
        )


def _listed(names: list[str]) -> str:
    return f"{listed(map(repr, names), 'and')} {'is' if len(names) == 1 else 'are'}"


def _read(side: Side) -> dict[str, tuple[str, Path]]:
    """Return the code that each text stands for, keys included, and where that is said."""
    found: dict[str, tuple[str, Path]] = {k: (k, ("codes", k)) for k in side.codes}
    for code in side.catalogue.codes.values():
        for text, kind in texts(code).items():
            if kind != "wire":
                found[text] = code.key, ("codes", code.key, *_where(code, text, kind))
    return dict(sorted(found.items()))


def _where(code: Code, text: str, kind: str) -> Path:
    if kind != "alias":
        return "languages", kind, "code"
    return (
        ("aliases", code.aliases.index(text)) if len(code.aliases) > 1 else ("aliases",)
    )
