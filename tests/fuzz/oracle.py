"""What must come back from a catalogue: errors, as they are made, and on the wire."""

from __future__ import annotations

import string
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fuzz import names
from fuzz.catalogue import Answer, Catalogue, Data, few

__all__ = ["Case", "Data", "Oracle", "few"]


@dataclass(frozen=True)
class Case:
    """Values of a code's fields, and facts that the caller knows, by their names."""

    code: str
    fields: Data
    context: Data
    message: str


class Oracle(Catalogue):
    """A valid catalogue, and the errors that its packages make and read."""

    # How errors are made.

    def with_codes(self, cls: str, lang: str) -> list[str]:
        return [k for k in self.codes if cls in self.class_names(k, lang)]

    def selector(self, cls: str, lang: str) -> str | None:
        """Return the field whose word decides the code of a class's errors."""
        codes = self.with_codes(cls, lang)
        if self.classes.get(cls, {}).get("open") or cls == self.base or len(codes) < 2:
            return None
        for name, raw in self.fields_of(cls, lang).items():
            if isinstance(raw["type"], list) and not raw.get("optional"):
                fixed = [self.const(key).get(name) for key in codes]
                if None not in fixed and len(set(fixed)) == len(codes):
                    return name
        return None

    def fields_of(self, cls: str, lang: str) -> Data:
        """Return the fields of a class; those of single codes are optional there."""
        codes = self.with_codes(cls, lang)
        if cls not in self.classes:
            return self.fields(codes[0])
        takes_many = self.classes[cls].get("open") or cls == self.base
        if len(codes) == 1 and not takes_many:
            return self.fields_as(codes[0], cls)
        found = self.class_fields(cls)
        for key in codes:
            for name, raw in self.fields_as(key, cls).items():
                found.setdefault(name, {**raw, "optional": True})
        return found

    def fields_as(self, key: str, cls: str) -> Data:
        """Return a code's fields without what only another of its classes has."""
        template = self.of_code(key, "message") or ""
        own = {name for _, name, _, _ in string.Formatter().parse(template) if name}
        own |= {n for rule in self.rules(key) for n in rule["when"]}
        own.update(self.const(key), self.codes[key].get("fields", {}))
        known = {*own, *self.class_fields(cls), self.follows(key)}
        return {n: raw for n, raw in self.fields(key).items() if n in known}

    def can_make(self, case: Case, cls: str, lang: str) -> bool:
        """Tell whether a class has all the fields of a case."""
        needs = {"cause"} if self.needs_cause(case.code) else set()
        return needs.union(case.fields) <= set(self.fields_of(cls, lang))

    def takes(self, cls: str, lang: str) -> str:
        """Say what a constructor takes first: base, code, field, or nothing of these."""
        if cls == self.base:
            return "base"
        if self.selector(cls, lang) is not None:
            return "field"
        is_open = self.classes.get(cls, {}).get("open", False)
        many = is_open or len(self.with_codes(cls, lang)) > 1
        return "code" if many else "message"

    def given(self, case: Case, cls: str, lang: str) -> Data:
        """Return the fields that the class's constructor is given, by their names."""
        const = self.const(case.code)
        found = {k: v for k, v in case.fields.items() if k not in const}
        if self.takes(cls, lang) != "message":
            fields = self.fields_of(cls, lang)
            found |= {k: v for k, v in const.items() if not fields[k].get("optional")}
        return found

    def carried(self, case: Case) -> Data:
        """Return what the error then holds."""
        return {**case.fields, **self.const(case.code)}

    def needs_cause(self, key: str) -> bool:
        fields = self.fields(key).values()
        return any(f["type"] == "error" and not f.get("optional") for f in fields)

    def answers(self, case: Case, made: bool) -> tuple[Answer, Answer]:
        """Return the verdict as it is, and as the caller's facts make it.

        An error that is `made` by its class has the native cause that its code needs.
        """
        fields = self.carried(case)
        if made and self.needs_cause(case.code):
            fields["cause"] = "some error"
        alone = self.verdict(case.code, fields, {})
        return alone, self.verdict(case.code, fields, case.context)

    def told_again(self, case: Case, made: bool) -> Answer:
        """Return the verdict after a way over the wire, which cannot say unset."""
        return next(
            (a for m in (made, False) if (a := self.answers(case, m)[0]) is not None),
            None,
        )

    def message(self, case: Case) -> str | None:
        """Return the message that the code's template makes; None where it has none."""
        template: str | None = self.of_code(case.code, "message")
        if template is None:
            return None
        values = self.carried(case)
        return template.format_map({k: _shown(v) for k, v in values.items()})

    def is_on_wire(self, raw: Data) -> bool:
        return bool(raw["type"] != "error")

    def wire_name(self, name: str, raw: Data) -> str:
        case = self.data.get("envelope", {}).get("case", "snake")
        return str(raw.get("wire", names.camel(name, {}) if case == "camel" else name))

    def on_wire(self, fields: Mapping[str, Data], values: Data) -> Data:
        return {
            self.wire_name(name, fields[name]): self.value_as(
                fields[name]["type"], value, self.wire_name
            )
            for name, value in values.items()
            if self.is_on_wire(fields[name])
        }

    def in_names(self, fields: Mapping[str, Data], values: Data, lang: str) -> Data:
        """Return values under the names of fields in a language."""

        def name_of(name: str, raw: Data) -> str:
            return names.field(name, lang, self.acronyms)

        inner = self.wire_name if lang == "python" else name_of  # of records as dicts
        return {
            name_of(name, fields[name]): self.value_as(
                fields[name]["type"], value, inner
            )
            for name, value in values.items()
        }

    def value_as(self, type: Any, value: Any, name_of: Any) -> Any:
        if isinstance(type, dict) and "list" in type:
            return [self.value_as(type["list"], one, name_of) for one in value]
        if isinstance(type, dict) and "map" in type:
            return {k: self.value_as(type["map"], v, name_of) for k, v in value.items()}
        if isinstance(type, str) and type in self.data.get("types", {}):
            fields = self.data["types"][type]["fields"]
            return {
                name_of(k, fields[k]): self.value_as(fields[k]["type"], v, name_of)
                for k, v in value.items()
            }
        return value

    def wire_form(self, case: Case, lang: str, message: str) -> Data:
        """Return the dict that stands for an error on the wire, without its verdict."""
        fields = self.on_wire(self.fields(case.code), self.carried(case))
        data: Data = {"code": self.wire(case.code, lang), "message": message}
        if self.under is not None:
            return {**data, self.under: fields} if fields else data
        return data | fields

    def read_as(self, key: str, lang: str) -> str:
        """Return the class that from_wire builds of a code whose fields all fit."""
        found = self.class_names(key, lang)
        return found[0] if len(found) == 1 and not self.needs_cause(key) else self.base


def _shown(value: Any) -> str:
    """Return a value as a message has it, in every language."""
    return str(value).lower() if isinstance(value, bool) else str(value)
