"""What templates of other people may use: filters of Jinja's, attributes of Python's.

Left out are those that choose at random, that reach Python's insides, that read a
format with widths of their own, and what makes HTML and says nothing of it.
"""

from __future__ import annotations

from typing import Any

import jinja2.environment
import jinja2.runtime
import jinja2.utils

_OF_TEXT = """
    capitalize center e escape forceescape indent lower replace title trim truncate upper
    urlencode wordcount wordwrap
"""
_OF_VALUES = """
    abs attr batch count d default dictsort first float groupby int items last length list
    map max min reject rejectattr reverse round select selectattr slice sort unique
"""
TEXT_FILTERS = frozenset(_OF_TEXT.split())
"""Filters that make a text of what they are given, whatever it is."""
FILTERS = TEXT_FILTERS.union(_OF_VALUES.split())
CHEAP_FILTERS = frozenset({"count", "d", "default", "first", "last", "length"})
"""Filters that do not look at all of what they are given."""
WHOLE_FILTERS = frozenset({"resolved", "vectors"})
"""Filters of ours that go through a whole catalogue."""

_OF_STR = """
    capitalize casefold center count endswith find index isalnum isalpha isascii isdecimal
    isdigit isidentifier islower isnumeric isprintable isspace istitle isupper join ljust
    lower lstrip partition removeprefix removesuffix replace rfind rindex rjust rpartition
    rsplit rstrip split splitlines startswith strip swapcase title upper zfill
"""


class OwnList(list[Any]):
    """A list that a template made and may fill; those of a View it may only read."""


class OwnDict(dict[Any, Any]):
    """A mapping that a template made and may fill."""


def own(value: Any) -> Any:
    """Return a list or mapping as the template's own."""
    return OwnDict(value) if isinstance(value, dict) else OwnList(value)


_ATTRIBUTES: tuple[tuple[type, frozenset[str]], ...] = (
    (str, frozenset(_OF_STR.split())),
    (OwnList, frozenset({"append", "count", "extend", "index"})),
    (OwnDict, frozenset({"get", "items", "keys", "update", "values"})),
    (dict, frozenset({"get", "items", "keys", "values"})),
    (list, frozenset({"count", "index"})),
    (tuple, frozenset({"count", "index", "grouper", "list"})),  # the last two: groupby
)
_PARTS = (
    jinja2.environment.TemplateModule,
    jinja2.runtime.BlockReference,
    jinja2.runtime.LoopContext,
    jinja2.runtime.Macro,
    jinja2.runtime.TemplateReference,
    jinja2.utils.Cycler,
    jinja2.utils.Joiner,
    jinja2.utils.Namespace,
)


def is_allowed(holder: Any, name: str) -> bool:
    """Tell whether a template may use an attribute: of ours and Jinja's the public ones."""
    if name.startswith("_"):
        return False
    for kind, names in _ATTRIBUTES:
        if isinstance(holder, kind):
            return name in names
    package = type(holder).__module__.partition(".")[0]
    return package == __name__.partition(".")[0] or isinstance(holder, _PARTS)
