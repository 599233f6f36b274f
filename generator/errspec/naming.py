"""Names in a language's case: MODEL_ERROR, model_error, ModelError, modelError."""

from __future__ import annotations

import re
from functools import lru_cache

CASES = ("keep", "pascal", "camel", "snake", "upper", "kebab")

_WORD = re.compile(r"[A-Za-z0-9]+")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


@lru_cache(maxsize=1 << 16)
def words(name: str) -> tuple[str, ...]:
    """Split a name into its words: at marks, and at the humps of mixed case.

    >>> words("MCP_TRANSPORT"), words("modelError"), words("E.1:x-y")
    (('MCP', 'TRANSPORT'), ('model', 'Error'), ('E', '1', 'x', 'y'))
    """
    parts = _WORD.findall(name)
    if any(p != p.upper() and p != p.lower() for p in parts):
        parts = [w for p in parts for w in _HUMP.split(p)]
    return tuple(parts)


@lru_cache(maxsize=1 << 16)
def cased(name: str, case: str, acronyms: tuple[str, ...] = ()) -> str:
    """Return a name in one of `CASES`; acronyms stay whole where words are joined."""
    if case == "keep":
        return name
    parts = words(name)
    if case in ("pascal", "camel"):
        whole = {a.upper(): a for a in acronyms}
        joined = [whole.get(p.upper(), p.capitalize()) for p in parts]
        if case == "camel":
            joined[:1] = [p.lower() for p in parts[:1]]
        return "".join(joined)
    separator = "-" if case == "kebab" else "_"
    text = separator.join(parts)
    return text.upper() if case == "upper" else text.lower()


@lru_cache(maxsize=1 << 16)
def class_name(key: str, case: str, suffix: str, acronyms: tuple[str, ...] = ()) -> str:
    """Derive a class's name from a code, without doubling the suffix.

    >>> class_name("MODEL_ERROR", "pascal", "Error")
    'ModelError'
    """
    parts = words(key)
    if len(parts) > 1 and parts[-1].casefold() == suffix.casefold():
        parts = parts[:-1]
    return cased("_".join(parts), case, acronyms) + suffix
