"""Writes plain data as YAML in all its styles, so that each reading is the same."""

from __future__ import annotations

import random
import re
from typing import Any

_PLAIN = re.compile(r"[A-Za-z][\w./+-]*( [\w./+-]+)*", re.ASCII)
_KEY = re.compile(r"[A-Za-z][A-Za-z0-9_.-]*")
_WORDS = ("true", "false", "null", "Null", "NULL")
_COMMENTS = ("# a comment", "#\ttab \u2028 {{ }} */", "# codes: {x: [", "# 漢字 😀 é")
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\0": "\\0", '"': '\\"', "\\": "\\\\"}


def dump(data: Any, seed: int) -> str:
    """Return a YAML text of the data; the seed decides on styles, comments, line ends."""
    writer = Writer(random.Random(seed))
    text = "\n".join(writer.lines(data, 0)) + "\n"
    rng = writer.rng
    if rng.random() < 0.1:
        text = "---\n" + text
    if rng.random() < 0.1:
        text += "...\n"
    text = text.replace("\n", rng.choice(["\n", "\n", "\n", "\r\n", "\r"]))
    return "\ufeff" * (rng.random() < 0.1) + text


class Writer:
    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.step = rng.choice([1, 2, 2, 4])

    def lines(self, value: Any, indent: int) -> list[str]:
        """Return a mapping or a list as a block."""
        pad = " " * indent
        found: list[str] = []
        entries: list[tuple[str, Any]] = [("-", item) for item in value]
        if isinstance(value, dict):
            entries = [(f"{self.key(key)}:", item) for key, item in value.items()]
        for head, item in entries:
            if self.rng.random() < 0.05:
                found += [pad + self.rng.choice(_COMMENTS), ""]
            if isinstance(item, dict | list) and item and self.rng.random() < 0.6:
                found += [f"{pad}{head}", *self.lines(item, indent + self.step)]
            elif block := self.block(item, indent):
                found += [f"{pad}{head} {block[0]}", *block[1:]]
            else:
                comment = (
                    " " + self.rng.choice(_COMMENTS) if self.rng.random() < 0.05 else ""
                )
                found.append(f"{pad}{head} {self.flow(item)}{comment}")
        return found

    def key(self, key: str) -> str:
        if not _KEY.fullmatch(key) or key in _WORDS or self.rng.random() < 0.1:
            return self.rng.choice([self.single, self.double])(key)
        return key

    def flow(self, value: Any) -> str:
        """Return a value as one line."""
        if isinstance(value, dict):
            items = [f"{self.key(k)}: {self.flow(v)}" for k, v in value.items()]
            return "{" + ", ".join(items) + self.rng.choice(["}", " }"])
        if isinstance(value, list):
            return "[" + ", ".join(map(self.flow, value)) + self.rng.choice(["]", " ]"])
        if isinstance(value, str):
            is_plain = _PLAIN.fullmatch(value) and value not in _WORDS
            if is_plain and self.rng.random() < 0.6:
                return value
            return self.rng.choice([self.double, self.single])(value)
        return str(value).lower()

    def single(self, text: str) -> str:
        return (
            "'" + text.replace("'", "''") + "'"
            if text.isprintable()
            else self.double(text)
        )

    def double(self, text: str) -> str:
        return '"' + "".join(map(self.escaped, text)) + '"'

    def escaped(self, char: str) -> str:
        if char in _SHORT:
            return _SHORT[char]
        if char.isprintable():
            return char
        code = ord(char)
        return (
            f"\\x{code:02x}"
            if code < 256
            else f"\\u{code:04x}" if code < 65536 else f"\\U{code:08x}"
        )

    def block(self, text: Any, indent: int) -> list[str]:
        """Return a text as a block scalar, or nothing where it cannot be one."""
        if not isinstance(text, str) or not text or self.rng.random() < 0.6:
            return []
        lines = text.split("\n")
        if not all(line.isprintable() for line in lines) or lines[-1] == "":
            return []
        pad = " " * (indent + self.step)
        mark = self.rng.choice(["", "-", "+"])
        if (
            len(lines) == 1
            and re.fullmatch(r"\S+( \S+)*", text)
            and self.rng.random() < 0.5
        ):
            folded = [pad + part for part in text.split(" ")]
            return [f">{self.step}{mark}", *folded]
        return [f"|{self.step}{mark}", *(pad + line if line else "" for line in lines)]
