"""As many classes by hand as are generated: the two kinds, under the codes' names."""

from __future__ import annotations

import pathlib
import re
from collections.abc import Iterator, Mapping
from typing import Any

_FOLDER = pathlib.Path(__file__).parent


def module(codes: Mapping[str, Any], suffix: str) -> str:
    """Return the module with that suffix, py or mjs, with a class for each code.

    A code with rules has the constructor with a status, whatever its own fields are.
    """
    text = (_FOLDER / f"errors.{suffix}").read_text(encoding="utf-8")
    classes = r"^(?:export )?class {}\b.*?\n(?=\n^\S)"
    kinds: dict[str, str] = {}
    for name in ("Plain", "Status"):
        found = re.search(
            classes.format(f"{name}Error"), text, re.DOTALL | re.MULTILINE
        )
        assert found is not None
        kinds[name] = found[0]
        text = text.replace(found[0], "")
    names = [_name(key) for key in codes]
    lines = [text, *_classes(kinds, codes)]
    entry = "{!r}: {}," if suffix == "py" else "[{!r}, {}],"
    table = [entry.format(key, name) for key, name in zip(codes, names, strict=True)]
    start, end = (
        ("CODES = {", "}")
        if suffix == "py"
        else ("export const CODES = new Map([", "]);")
    )
    return "\n".join([*lines, start, *table, end]) + "\n"


def _classes(kinds: Mapping[str, str], codes: Mapping[str, Any]) -> Iterator[str]:
    for key, code in codes.items():
        kind = "Status" if isinstance(code.get("retryable"), dict) else "Plain"
        text = kinds[kind].replace(f"{kind}Error", _name(key))
        text = text.replace(f'"{kind.upper()}"', f'"{key}"')
        yield text.replace("The meaning of the code stands here", code["meaning"][:-1])


def _name(key: str) -> str:
    return "".join(word.capitalize() for word in key.split("_")) + "Error"
