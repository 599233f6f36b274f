"""The classes of a catalogue in one language: the declared ones, and those of codes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from ..model import ErrorClass, Field
from .class_view import ClassView
from .entries import CodeView, VerdictView
from .terms import Terms


class Classes(Struct, frozen=True, dict=True):
    """Makes the views of all classes, parents first, from the codes that are raised."""

    terms: Terms
    raised: tuple[CodeView, ...]

    def __iter__(self) -> Iterator[ClassView]:
        yield from map(self._declared, self.terms.catalogue.classes.values())
        yield from (self._own_class(c) for c in self.raised if c.model.own_class)

    def _declared(self, found: ErrorClass) -> ClassView:
        codes = tuple(self._carried.get(found.name, ()))
        is_base = found.name == self.terms.catalogue.base_class
        # A class of one code is that code's: what the code says goes for the class.
        only = codes[0] if len(codes) == 1 and not (found.open or is_base) else None
        one = only.model if only else found
        own = only.model.fields_on(found) if only else found.fields
        fields = _united(own, found, codes)
        if (
            only and found.name in self._extended
        ):  # whose errors may lack the code's own
            known = {f.name for f in found.fields if not f.optional}
            fields = [
                f if f.name in known else replace(f, optional=True) for f in fields
            ]
        return ClassView(
            name=found.name,
            parent=found.extends,
            is_base=is_base,
            meaning=found.meaning or one.meaning,
            hint=found.hint or one.hint,
            abstract=found.abstract or _cannot_be_made(found, codes),
            open=found.open,
            pinned=one.pinned,
            control=one.control,
            verdict=only.verdict if only else self._class_verdict(found),
            codes=codes,
            all_codes=self._all_codes[found.name],
            fields=self.terms.fields(fields, found.name),
            inherited=self._handed_down[found.extends],
            message=one.message,
            since=found.since,
            internal=found.internal,
            groups=found.groups
            or tuple(dict.fromkeys(g for c in codes for g in c.model.groups)),
            raised_by=found.raised_by or (only.raised_by if only else ()),
            attributes=one.attributes,
            model=found,
        )

    def _own_class(self, view: CodeView) -> ClassView:
        code = view.model
        return ClassView(
            name=self.terms.own_name(code),
            parent=code.extends,
            is_base=False,
            meaning=view.meaning,
            hint=view.hint,
            abstract=False,
            open=False,
            pinned=code.pinned,
            control=code.control,
            verdict=view.verdict,
            codes=(view,),
            all_codes=(view.spelling,),
            fields=view.fields,
            inherited=self._handed_down[code.extends],
            message=code.message,
            since=code.since,
            internal=code.internal,
            groups=code.groups,
            raised_by=view.raised_by,
            attributes=code.attributes,
            model=None,
        )

    @cached_property
    def _carried(self) -> Mapping[str, list[CodeView]]:
        """The codes that are raised with each declared class."""
        base = self.terms.catalogue.base_class
        return index((n, c) for c in self.raised for n in c.model.carriers(base))

    @cached_property
    def _extended(self) -> frozenset[str | None]:
        """The classes that others derive from."""
        declared = (c.extends for c in self.terms.catalogue.classes.values())
        return frozenset([*declared, *(c.model.extends for c in self.raised)])

    @cached_property
    def _all_codes(self) -> Mapping[str, tuple[str, ...] | None]:
        """What errors of each declared class, or of one derived from it, have as code.

        None where that may be any text.
        """
        found: dict[str, tuple[str, ...] | None] = {
            name: tuple(c.spelling for c in self._carried.get(name, ()))
            for name in self.terms.catalogue.classes
        }
        derived = index((c.model.extends or "", c) for c in self.raised)
        children_first = reversed(list(self.terms.catalogue.classes.items()))
        for name, cls in children_first:
            mine = None if self.terms.is_open(name) else found[name]
            if mine is not None:
                own = (c.spelling for c in derived.get(name, ()))
                mine = tuple(dict.fromkeys([*mine, *own]))
            found[name] = mine
            if cls.extends is not None:
                above = found[cls.extends]
                both = None if above is None or mine is None else above + mine
                found[cls.extends] = both
        return found

    @cached_property
    def _handed_down(self) -> Mapping[str | None, frozenset[str]]:
        """The fields that each declared class hands down, its codes' included."""
        found: dict[str | None, frozenset[str]] = {None: frozenset()}
        for cls in self.terms.catalogue.classes.values():  # parents come first
            codes = self._carried.get(cls.name, ())
            extra = (f.name for c in codes for f in c.model.fields_on(cls))
            own = (f.name for f in cls.fields)
            found[cls.name] = found[cls.extends].union(own, extra)
        return found

    def _class_verdict(self, found: ErrorClass) -> VerdictView | None:
        if found.verdict is None:
            return None
        return self.terms.verdict(found.verdict, found.fields)


def index(pairs: Iterable[tuple[str, CodeView]]) -> dict[str, list[CodeView]]:
    """Collect codes under the names that they are paired with."""
    found: dict[str, list[CodeView]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found


def _united(
    fields: Sequence[Field], cls: ErrorClass, codes: Sequence[CodeView]
) -> list[Field]:
    """Add to fields those of single codes, which are optional where there are others."""
    united = {f.name: f for f in fields}
    for code in codes:
        for extra in code.model.fields_on(cls):
            if extra.name not in united:
                united[extra.name] = replace(extra, optional=True)
    return list(united.values())


def _cannot_be_made(found: ErrorClass, codes: Sequence[CodeView]) -> bool:
    """Tell whether a class is there for its subclasses only: a language may raise none
    of its codes."""
    return not codes and found.extends is not None and not found.open
