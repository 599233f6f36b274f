"""Valid YAML, broken in all ways, of which nothing is known: bytes, lines, indents."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

Place = tuple[int, int]
"""Line and column, from 1, in the text as errspec counts: without a byte-order mark."""


@dataclass(frozen=True)
class Mutant:
    """A broken text; `place` is where a finding must stand, if that is known."""

    raw: bytes
    how: str
    place: Place | None = None


Rng = random.Random
ODD = "\t \n\r:#'\"\\[]{},&*!|>@`%-?~\0\x85\u2028\u202e\ufeff\ud7ff漢😀é0aZ"
WORDS = ["null", "~", "", "yes", "true", "5", "0x10", "1e5", "[]", "{}", "[x, [y]]"]
WORDS += ["{a: {b: c}}", "'", '"', "|", ">", "- x", "? x", "<<", "*a", "&a b", "!t x"]
WORDS += [
    "unset",
    "any",
    "none",
    "5xx",
    "2024-01-01",
    "a: b",
    "a #b",
    "99999999999999999",
]


def blind(text: str, rng: Rng) -> Mutant:
    """Break a text somewhere, mostly once, sometimes again and again."""
    raw, how = text.encode(), []
    for _ in range(rng.choice([1, 1, 1, 2, 5])):
        name = rng.choice(list(BLIND))
        raw = BLIND[name](raw, rng)
        how.append(name)
    return Mutant(raw, ", ".join(how))


# Of bytes.


def _flip(raw: bytes, rng: Rng) -> bytes:
    at = rng.randrange(len(raw) + 1)
    return raw[:at] + bytes([rng.randrange(256)]) + raw[at + 1 :]


def _odd(raw: bytes, rng: Rng) -> bytes:
    at = rng.randrange(len(raw) + 1)
    return raw[:at] + rng.choice(ODD).encode() + raw[at + rng.randrange(2) :]


def _delete(raw: bytes, rng: Rng) -> bytes:
    at = rng.randrange(len(raw) + 1)
    return raw[:at] + raw[at + rng.choice([1, 2, 3, 10, 100]) :]


def _repeat(raw: bytes, rng: Rng) -> bytes:
    at = rng.randrange(len(raw) + 1)
    end = at + rng.choice([1, 2, 3, 10, 100])
    return raw[:end] + raw[at:end] * rng.choice([1, 1, 1, 50]) + raw[end:]


def _cut(raw: bytes, rng: Rng) -> bytes:
    return raw[: rng.randrange(len(raw) + 1)]


# Of lines.


def _lines(
    change: Callable[[list[bytes], int, Rng], None],
) -> Callable[[bytes, Rng], bytes]:
    def changed(raw: bytes, rng: Rng) -> bytes:
        lines = raw.split(b"\n")
        change(lines, rng.randrange(len(lines)), rng)
        return b"\n".join(lines)

    return changed


def _drop_line(lines: list[bytes], at: int, rng: Rng) -> None:
    del lines[at : at + rng.choice([1, 1, 1, 5])]


def _copy_line(lines: list[bytes], at: int, rng: Rng) -> None:
    lines.insert(rng.choice([at, at, rng.randrange(len(lines))]), lines[at])


def _swap_lines(lines: list[bytes], at: int, rng: Rng) -> None:
    other = rng.choice([max(0, at - 1), rng.randrange(len(lines))])
    lines[at], lines[other] = lines[other], lines[at]


def _indent(lines: list[bytes], at: int, rng: Rng) -> None:
    for line in range(at, min(at + rng.choice([1, 1, 5]), len(lines))):
        lines[line] = b" " * rng.randrange(8) + lines[line].lstrip(b" ")


def _value(lines: list[bytes], at: int, rng: Rng) -> None:
    key, colon, value = lines[at].partition(b": ")
    word = rng.choice(WORDS).encode()
    lines[at] = rng.choice(
        [key + colon + word, word + colon + value, key + colon + value + word]
    )


def _deepen(lines: list[bytes], at: int, rng: Rng) -> None:
    key, colon, value = lines[at].partition(b": ")
    deep = rng.choice([3, 40, 60, 2000])
    lines[at] = key + colon + b"[" * deep + value + b"]" * rng.choice([deep, deep, 1])


def _swap_words(lines: list[bytes], at: int, rng: Rng) -> None:
    words = lines[at].split(b" ")
    rng.shuffle(words)
    lines[at] = b" ".join(words)


BLIND: dict[str, Callable[[bytes, Rng], bytes]] = {
    "flip a byte": _flip,
    "odd character": _odd,
    "delete bytes": _delete,
    "repeat bytes": _repeat,
    "cut off": _cut,
    "drop a line": _lines(_drop_line),
    "copy a line": _lines(_copy_line),
    "swap lines": _lines(_swap_lines),
    "indent": _lines(_indent),
    "another value": _lines(_value),
    "deepen": _lines(_deepen),
    "swap words": _lines(_swap_words),
    "line ends": lambda raw, rng: raw.replace(
        b"\n", rng.choice([b"\r\n", b"\r", b"\n\n"])
    ),
    "UTF-16": lambda raw, rng: (
        raw.decode(errors="replace").encode(rng.choice(["utf-16", "utf-16-le"]))
        if rng.random() < 0.1
        else raw
    ),
}
