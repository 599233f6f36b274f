"""Valid YAML, broken at one key or value whose place is known: something must be said of
it there."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from errspec import source
from errspec.diagnostics import Diagnostic, Path
from fuzz.mutations import Mutant, blind

Rng = random.Random


def mutants(text: str, rng: Rng, *, aim: bool = True) -> Iterator[Mutant]:
    """Break a text without end, mostly once, sometimes again and again.

    `aim` also at the keys of a catalogue, which the text must then be.
    """
    aimed = list(AIMED.values())
    while True:
        if aim and rng.random() < 0.4:
            yield rng.choice(aimed)(_aim(text, rng), rng) or blind(text, rng)
        else:
            yield blind(text, rng)


_TEXT = "[x, [y]]"  # no text, and no list of texts
_PROSE: dict[str, str] = dict.fromkeys(
    ("meaning", "hint", "message", "since", "reason", "use"), _TEXT
)
_PROSE |= dict.fromkeys(("title", "sunset", "wire", "code", "follows"), _TEXT)

# For each kind of mapping: a wrong value of each key, and the kinds of those that are
# mappings themselves. `*x` is a mapping from names to x, `-x` a list of x.
_KINDS: dict[str, tuple[dict[str, str], dict[str, str]]] = {
    "catalogue": (
        {
            **dict.fromkeys(("id", "title", "version", "base_class"), _TEXT),
            "errspec": "2",
            "class_per_code": "7",
            "docs_url": _TEXT,
            "acronyms": "{a: b}",
        }
        | dict.fromkeys(("codes", "classes", "groups", "types", "context"), "7"),
        {
            "codes": "*entry",
            "classes": "*entry",
            "groups": "*group",
            "types": "*record",
            "foreign_errors": "verdict",
        },
    ),
    "entry": (
        {
            **dict.fromkeys(("retryable", "pinned"), "perhaps"),
            **dict.fromkeys(("control", "abstract", "fields", "const"), "7"),
            **dict.fromkeys(("retired", "deprecated", "languages", "attributes"), "7"),
            **dict.fromkeys(("group", "class", "aliases", "raised_by"), "{a: b}"),
            **dict.fromkeys(("meaning", "hint", "message", "since", "extends"), _TEXT),
            "links": "{a: b}",
            "internal": "[true]",
            "open": "yes",
            "http": "'404'",
        },
        {
            "retryable": "verdict",
            "fields": "*field",
            "languages": "*local",
            "deprecated": "text",
            "retired": "text",
        },
    ),
    "field": ({**_PROSE, "type": "5", "optional": "7", "open": "yes"}, {}),
    "local": ({**_PROSE, "absent": "7", "raised_by": "{a: b}"}, {}),
    "verdict": (
        {"rules": "7", "else": "perhaps", "follows": _TEXT},
        {"rules": "-rule"},
    ),
    "rule": ({"when": "7", "then": "perhaps", "hint": _TEXT}, {}),
    "record": ({"fields": "7", "meaning": _TEXT}, {"fields": "*field"}),
    "group": ({**_PROSE}, {}),
    "text": ({**_PROSE}, {}),
}


def _keys(kind: str, value: object, path: Path) -> Iterator[tuple[Path, str]]:
    """Yield the path of each key that a schema names, and a wrong value of it."""
    inside = kind.lstrip("*-")
    if inside != kind:
        entries: Iterator[tuple[str | int, object]] = iter(())
        if isinstance(value, dict):
            entries = iter(value.items())
        elif isinstance(value, list):
            entries = iter(enumerate(value))
        for name, entry in entries:
            yield from _keys(inside, entry, (*path, name))
    elif isinstance(value, dict):
        wrong, kinds = _KINDS[kind]
        for key, entry in value.items():
            if key in wrong:
                yield (*path, key), wrong[key]
            if key in kinds:
                yield from _keys(kinds[key], entry, (*path, key))


@dataclass(frozen=True)
class Aim:
    """A key of a text, with the places of it and of its value, and a wrong value."""

    document: source.Document
    path: Path
    key: source.Place
    value: source.Place
    wrong: str

    @property
    def written(self) -> str:
        """The value's text, as far as it stands on one line."""
        return self.value.text[self.value.column - 1 : self.value.end_column - 1]

    @property
    def is_whole(self) -> bool:
        """Whether the value is not a block, and ends on the line that it begins on."""
        end = {"{": "}", "[": "]", '"': '"', "'": "'"}.get(self.written[:1], "")
        block = self.value == self.key or self.written[:1] in ("|", ">")
        return not block and self.written.endswith(end) and len(self.written) > len(end)


def _aim(text: str, rng: Rng) -> Aim:
    document = source.parse(text, "")
    path, wrong = rng.choice(list(_keys("catalogue", document.data, ())))
    key = document.place(Diagnostic("", "", "", path, "key"))
    value = document.place(Diagnostic("", "", "", path, "value"))
    return Aim(document, path, key, value, wrong)


def _rewritten(aim: Aim, place: source.Place, new: str, how: str) -> Mutant:
    lines = aim.document.text.split("\n")
    line = lines[place.line - 1]
    start, end = place.column - 1, place.end_column - 1
    lines[place.line - 1] = line[:start] + new + line[end:]
    raw = "\n".join(lines).encode()
    return Mutant(raw, f"{how} {aim.path}", (place.line, place.column))


def _misspell(aim: Aim, rng: Rng) -> Mutant | None:
    name = str(aim.path[-1])
    at = rng.randrange(1, len(name))
    return _rewritten(aim, aim.key, f"{name[:at]}q{name[at:]}", "misspell")


def _wrong_type(aim: Aim, rng: Rng) -> Mutant | None:
    return (
        _rewritten(aim, aim.value, aim.wrong, "another type of")
        if aim.is_whole
        else None
    )


def _empty(aim: Aim, rng: Rng) -> Mutant | None:
    word = rng.choice(["~", "null", ""])
    if not aim.is_whole or (not word and aim.value.text[aim.value.end_column - 1 :]):
        return None  # what comes after it would be the value
    found = _rewritten(aim, aim.value, word, "nothing for")
    key = (aim.key.line, aim.key.column)
    return found if word else Mutant(found.raw, found.how, key)


def _twice(aim: Aim, rng: Rng) -> Mutant | None:
    alone = not aim.key.text[: aim.key.column - 1].strip(" ")
    ends = aim.value.end_column - 1 == len(aim.key.text)
    if not (aim.is_whole and alone and ends and aim.value.line == aim.key.line):
        return None
    lines = aim.document.text.split("\n")
    if lines[aim.key.line].startswith(" " * aim.key.column):
        return None  # the value goes on below
    lines.insert(aim.key.line, aim.key.text)
    raw = "\n".join(lines).encode()
    return Mutant(raw, f"twice {aim.path}", (aim.key.line + 1, aim.key.column))


AIMED: dict[str, Callable[[Aim, Rng], Mutant | None]] = {
    "misspell": _misspell,
    "wrong type": _wrong_type,
    "empty": _empty,
    "twice": _twice,
}
