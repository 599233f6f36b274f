"""The sandbox of packs that users bring: what their templates may reach, and how much.

Jinja's own sandbox keeps templates from Python's insides. Three things are added. What
is not named here as harmless is refused. Every loop, call, filter and text is paid for
(`meter`), so that no template runs or grows without end. And what would read
differently in every run, as objects and random choices do, cannot be written.
"""

from __future__ import annotations

import functools
import pathlib
from collections.abc import Callable, Iterable
from typing import Any

import jinja2
import jinja2.exceptions
import jinja2.filters
import jinja2.runtime
import jinja2.sandbox
import jinja2.utils

from ..diagnostics import did_you_mean
from . import paths
from .allowed import (
    CHEAP_FILTERS,
    FILTERS,
    LAZY_FILTERS,
    PATH_FILTERS,
    SEARCHES,
    TEXT_FILTERS,
    WHOLE_FILTERS,
    OwnDict,
    is_allowed,
    own,
    steady,
)
from .loader import EncodingError, Loader, TooLargeError
from .marks import COMPARE, CONCAT, FIND, LOOP, MADE, PAY, WEIGH, Compiler
from .meter import PER_STEP, LimitError, Meter, named

__all__ = ["EncodingError", "LimitError", "Sandbox", "TooLargeError"]

MAX_RANGE = 100_000


class Missing(jinja2.StrictUndefined):
    """What is not there: any use of it is an error that says what is."""

    @property
    def _undefined_message(self) -> str:
        name, holder = self._undefined_name, self._undefined_obj
        if self._undefined_hint:
            return super()._undefined_message
        if not isinstance(name, str):
            shown = name if isinstance(name, int) else named(name)
            return f"{named(holder)} has no element {shown}"
        if holder is jinja2.utils.missing:
            return f"{name!r} is not defined"
        known = holder if isinstance(holder, dict) else dir(holder)
        near = did_you_mean(name, [n for n in known if str(n)[:1] not in ("", "_")])
        return f"{named(holder)} has no {name!r}" + (f": {near}" if near else "")


class Sandbox(jinja2.sandbox.SandboxedEnvironment):
    """The environment of a pack that is not ours.

    Call `close` once its filters are there, and `meter.allow` before each render.
    """

    code_generator_class = Compiler
    intercepted_binops = frozenset({"+", "*", "**", "%", "//"})

    def __init__(self, folder: pathlib.Path, **options: Any) -> None:
        self.meter = Meter()
        self._loader = Loader(folder)
        # Not optimized: what is folded while compiling would go past the meter.
        # Each template is kept: one that is forgotten would be compiled again.
        options |= {"cache_size": -1}
        options |= {"optimized": False, "undefined": Missing, "loader": self._loader}
        super().__init__(**options)
        del self.globals["lipsum"]  # random, as some of Jinja's filters are
        self.globals |= {"dict": OwnDict, "range": _range}
        self.filters = {name: self.filters[name] for name in FILTERS}
        self.filters |= {
            "format": self._format,
            "join": self._join,
            "sum": self._sum,
            "string": lambda value: str(self.meter.written(value)),
        }
        written = self.meter.written
        self.finalize = jinja2.pass_context(lambda context, value: written(value))

    def close(self) -> None:
        """Put the meter before every filter and test there is by now."""
        tables: dict[str, dict[str, Any]] = {"filter": self.filters, "test": self.tests}
        for kind, table in tables.items():
            for name, function in table.items():
                table[name] = self._metered(kind, name, function)
        self.filters |= {
            CONCAT: self._join,
            COMPARE: self.meter.compare,
            FIND: self.meter.find,
            LOOP: self.meter.loop,
            MADE: lambda value: own(self.meter.weigh(value)),
            PAY: self.meter.pay,
            WEIGH: self.meter.weigh,
        }

    # --- What may be reached ---

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        """Tell whether an attribute is known to be harmless."""
        return is_allowed(obj, attr)

    def getattr(self, obj: Any, attribute: str) -> Any:
        """Return an attribute or an entry, in an order that is always the same."""
        return steady(super().getattr(obj, attribute))

    def getitem(self, obj: Any, argument: Any) -> Any:
        """Return an entry or an attribute, in an order that is always the same."""
        return steady(super().getitem(obj, argument))

    def wrap_str_format(self, value: Any) -> None:
        """Leave a text's `format` to `is_safe_attribute`, which refuses it."""

    def unsafe_undefined(self, obj: Any, attribute: str) -> jinja2.Undefined:
        """Return what raises where a refused attribute is used."""
        return self.undefined(
            f"a template may not use {attribute!r} of {named(obj)}",
            name=attribute,
            exc=jinja2.exceptions.SecurityError,
        )

    # --- How much of it ---

    def join_path(self, template: str, parent: str) -> str:
        """Pay for an include, import or extends."""
        self.meter.pay(1 + self._loader.sizes.get(template, 0) // PER_STEP)
        return template

    def call(
        __self, __context: jinja2.runtime.Context, __obj: Any, *args: Any, **kwargs: Any
    ) -> Any:
        """Pay for a call, then call."""
        meter = __self.meter
        meter.pay(1)
        if not isinstance(__obj, jinja2.runtime.Macro | jinja2.runtime.BlockReference):
            args = tuple(map(meter.held, args))
            meter.weigh((args, kwargs))
            owner = getattr(__obj, "__self__", None)
            if isinstance(owner, str):
                meter.look(owner)
                meter.growth(__obj.__name__, (owner, *args))
            elif isinstance(owner, list | tuple) and __obj.__name__ in SEARCHES:
                meter.compare(owner)
        return meter.look(super().call(__context, __obj, *args, **kwargs))

    def call_binop(
        self, context: jinja2.runtime.Context, operator: str, left: Any, right: Any
    ) -> Any:
        """Pay for an operator, then apply it."""
        self.meter.arithmetic(operator, left, right)
        return super().call_binop(context, operator, left, right)

    def concat(self, parts: Iterable[str]) -> str:
        """Put together what a template writes, as long as there is room for it."""
        return "".join(self.meter.output(parts))

    def _metered(
        self, kind: str, name: str, function: Callable[..., Any]
    ) -> Callable[..., Any]:
        passed = hasattr(function, "jinja_pass_arg")  # the first argument is Jinja's
        meter = self.meter
        attribute = paths.place(name, function) if kind == "filter" else None

        @functools.wraps(function)
        def metered(*args: Any, **kwargs: Any) -> Any:
            if kind == "filter" and name not in LAZY_FILTERS:
                taken = map(meter.held, args[passed:])
                args = (*args[:passed], *taken)
            given = (*args[passed:], *kwargs.values())
            meter.pay(1)
            if name in WHOLE_FILTERS:
                meter.pay_whole()
            if name not in CHEAP_FILTERS:
                meter.weigh(given)
                meter.growth(name, given)
            if name in TEXT_FILTERS:
                meter.written(given)
            path = paths.given(attribute, args[passed:], kwargs)
            try:
                if (
                    path is not None
                    and name in PATH_FILTERS
                    and "default" not in kwargs
                ):
                    self._there(path, given[0])
                made = function(*args, **kwargs)
                if name == "map" and path is not None and "default" not in kwargs:
                    made = (_defined(each) for each in made)
                return steady(meter.look(made))
            except (jinja2.TemplateError, RecursionError, MemoryError):
                raise
            except Exception as error:
                said = f": {type(error).__name__}: {error}" if str(error) else ""
                fault = f"the {kind} {name!r} cannot take this{said}"
                raise jinja2.TemplateRuntimeError(fault) from error

        return metered

    def _there(self, path: str, values: Any) -> None:
        """Raise where a value lacks one of the attributes; a filter may not look."""
        find = jinja2.filters.make_multi_attrgetter(self, path)
        for value in values if isinstance(values, Iterable) else ():
            self.meter.pay(1)
            for found in find(value):
                _defined(found)

    # Jinja's own would write any object.

    def _join(self, values: Any, between: Any = "", attribute: Any = None) -> str:
        glue: str = str(self.meter.written(between))
        if attribute is not None:
            values = map(jinja2.filters.make_attrgetter(self, attribute), values)
        values = self.meter.written([*values])
        self.meter.growth("join", (values, glue))
        return glue.join(map(str, values))

    def _format(self, form: Any, *args: Any, **kwargs: Any) -> str:
        wanted: str = str(self.meter.written(form))
        self.meter.filling(wanted, (*args, *kwargs.values()))
        return wanted % (kwargs or args)

    def _sum(self, values: Any, attribute: Any = None, start: float = 0) -> float:
        if attribute is not None:
            values = map(jinja2.filters.make_attrgetter(self, attribute), values)
        # Of numbers only: lists would be copied each time.
        return sum(values, start + 0)


def _defined(value: Any) -> Any:
    """Return a value; raise where it is not there."""
    if isinstance(value, jinja2.Undefined):
        str(value)
    return value


def _range(*args: int) -> range:
    made = range(*args)
    if len(made) > MAX_RANGE:
        raise LimitError(f"this range is longer than {MAX_RANGE:,}")
    return made
