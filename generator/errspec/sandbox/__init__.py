"""The sandbox of packs that users bring: what their templates may reach, and how much.

Jinja's own sandbox keeps templates from Python's insides. Three things are added. What
is not named here as harmless is refused. Every loop, call, filter and text is paid for
(`meter`), so that no template runs or grows without end. And what would read
differently in every run, as objects and random choices do, cannot be written.
"""

from __future__ import annotations

import functools
import pathlib
from collections.abc import Callable
from typing import Any

import jinja2
import jinja2.exceptions
import jinja2.filters
import jinja2.runtime
import jinja2.sandbox
import jinja2.utils

from ..diagnostics import did_you_mean
from .allowed import (
    CHEAP_FILTERS,
    FILTERS,
    TEXT_FILTERS,
    WHOLE_FILTERS,
    OwnDict,
    is_allowed,
    own,
    steady,
)
from .loader import EncodingError, Loader
from .marks import CONCAT, LOOK, LOOP, MADE, PAY, WEIGH, Compiler
from .meter import PER_STEP, LimitError, Meter, named

__all__ = ["EncodingError", "LimitError", "Sandbox"]

MAX_RANGE = 100_000


class Missing(jinja2.StrictUndefined):
    """What is not there: any use of it is an error that says what is."""

    @property
    def _undefined_message(self) -> str:
        name, holder = self._undefined_name, self._undefined_obj
        if self._undefined_hint or not isinstance(name, str):
            return super()._undefined_message
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
    intercepted_binops = frozenset({"+", "*", "**", "%"})

    def __init__(self, folder: pathlib.Path, **options: Any) -> None:
        self.meter = Meter()
        self._loader = Loader(folder)
        # Not optimized: what is folded while compiling would go past the meter.
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
        tables: tuple[dict[str, Any], ...] = (self.filters, self.tests)
        for table in tables:
            for name, function in table.items():
                table[name] = self._metered(name, function)
        self.filters |= {
            CONCAT: self._join,
            LOOK: self.meter.look,
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
            meter.weigh((args, kwargs))
            if isinstance(owner := getattr(__obj, "__self__", None), str):
                meter.look(owner)
                meter.growth(__obj.__name__, (owner, *args))
        return meter.look(super().call(__context, __obj, *args, **kwargs))

    def call_binop(
        self, context: jinja2.runtime.Context, operator: str, left: Any, right: Any
    ) -> Any:
        """Pay for an operator, then apply it."""
        self.meter.arithmetic(operator, left, right)
        return super().call_binop(context, operator, left, right)

    def _metered(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        passed = hasattr(function, "jinja_pass_arg")  # the first argument is Jinja's
        meter = self.meter

        @functools.wraps(function)
        def metered(*args: Any, **kwargs: Any) -> Any:
            given = (*args[passed:], *kwargs.values())
            meter.pay(1)
            if name in WHOLE_FILTERS:
                meter.pay_whole()
            if name not in CHEAP_FILTERS:
                meter.weigh(given)
                meter.growth(name, given)
            if name in TEXT_FILTERS:
                meter.written(given[:1])
            try:
                return meter.look(function(*args, **kwargs))
            except (jinja2.TemplateError, RecursionError, MemoryError):
                raise
            except Exception as error:
                said = f": {type(error).__name__}: {error}" if str(error) else ""
                fault = f"the filter {name!r} cannot take this{said}"
                raise jinja2.TemplateRuntimeError(fault) from error

        return metered

    # Jinja's own would write any object.

    def _join(self, values: Any, between: Any = "", attribute: Any = None) -> str:
        if attribute is not None:
            values = map(jinja2.filters.make_attrgetter(self, attribute), values)
        values = self.meter.written([*values])
        self.meter.growth("join", (values, self.meter.written(str(between))))
        return str(between).join(map(str, values))

    def _format(self, form: str, *args: Any, **kwargs: Any) -> str:
        self.meter.filling(str(form), (*args, *kwargs.values()))
        return str(form) % (kwargs or args)

    def _sum(self, values: Any, attribute: Any = None, start: float = 0) -> float:
        if attribute is not None:
            values = map(jinja2.filters.make_attrgetter(self, attribute), values)
        return sum(
            values, start + 0
        )  # of numbers only: lists would be copied each time


def _range(*args: int) -> range:
    made = range(*args)
    if len(made) > MAX_RANGE:
        raise LimitError(f"this range is longer than {MAX_RANGE:,}")
    return made
