"""What templates of other people may use: filters of Jinja's, attributes of Python's.

Left out are those that choose at random, that reach Python's insides, that read a
format with widths of their own, and what makes HTML and says nothing of it.
"""

from __future__ import annotations

import functools
from typing import Any

import jinja2.environment
import jinja2.runtime
import jinja2.utils

from .. import model, view
from ..languages import Language

_OF_TEXT = """
    capitalize center e escape forceescape indent lower replace title trim truncate upper
    urlencode wordcount wordwrap
"""
_OF_VALUES = """
    abs attr batch count d default dictsort first float groupby int items last length list
    map max min reject rejectattr reverse round select selectattr slice sort unique
"""
TEXT_FILTERS = frozenset((*_OF_TEXT.split(), "json", "literal", "value_words"))
"""Filters that make a text of what they are given, whatever it is."""
FILTERS = frozenset((*_OF_TEXT.split(), *_OF_VALUES.split()))
CHEAP_FILTERS = frozenset({"count", "d", "default", "first", "last", "length"})
"""Filters that do not look at all of what they are given."""
LAZY_FILTERS = CHEAP_FILTERS.union(
    ("map", "select", "reject", "selectattr", "rejectattr")
)
"""Filters that take one value after the other, and one that makes none."""
PATH_FILTERS = frozenset({"groupby", "max", "min", "sort", "unique"})
"""Filters that do not always look at what an attribute is."""
SEARCHES = frozenset({"count", "index"})
"""Methods that compare all that a list holds with a value."""
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
_DATA = (
    *(model.Type, model.Field, model.Test, model.Rule, model.Verdict, model.Retry),
    *(model.Deprecation, model.Retirement, model.Local, model.Group, model.Record),
    *(model.Code, model.ErrorClass, model.Catalogue),
    *(view.WordSet, view.FieldView, view.TestView, view.RuleView, view.VerdictView),
    *(view.CodeView, view.ClassView, view.RecordView, view.GroupView, view.View),
    *(view.HttpView, view.StatusView, view.PageView, view.ClassGroup, view.Section),
    *(view.OutcomesView, model.Outcome, model.Classification),
)
"""Of these, fields and properties may be read; a method only if it is named below."""
_METHODS: dict[type, frozenset[str]] = {
    view.View: frozenset({"catching", "facts_of", "name"}),
    view.ClassView: frozenset({"required_of"}),
}
_LANGUAGE = frozenset({"name", "short", "title"})


def _readable(kind: Any) -> frozenset[str]:
    properties = (property, functools.cached_property)
    made = {name for name, value in vars(kind).items() if isinstance(value, properties)}
    return frozenset({*kind.__struct_fields__, *made, *_METHODS.get(kind, ())})


_OF_KIND: dict[type, frozenset[str]] = {kind: _readable(kind) for kind in _DATA}
_OF_KIND[Language] = _LANGUAGE

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
    """Tell whether a template may use an attribute. What is not named here it may not."""
    if name.startswith("_"):
        return False
    for kind, names in _ATTRIBUTES:
        if isinstance(holder, kind):
            return name in names
    return name in _OF_KIND.get(type(holder), ()) or isinstance(holder, _PARTS)


def steady(value: Any) -> Any:
    """Return a set as a tuple: the order of a set is another one in every run."""
    if isinstance(value, frozenset):
        return tuple(sorted(value, key=lambda each: (each is not None, each)))
    return value
