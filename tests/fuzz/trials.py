"""What is tried with a catalogue: values for the fields of its codes, and facts."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from fuzz import names
from fuzz.classes import Classes
from fuzz.oracle import Case, Data, few
from fuzz.values import values


class Trials(Classes):
    """Draws cases for codes that are written."""

    def cases(self) -> list[Case]:
        """Draw values for each code: any, and those that each of its rules looks for."""
        found = []
        for key in self.codes:
            rules = self.oracle.rules(key)
            for rule in [None, *rules[:2]]:
                found.append(self.case(key, rule["when"] if rule else {}))
        return found

    def case(self, key: str, when: Data) -> Case:
        oracle = self.oracle
        types, facts = oracle.fields(key), self.data.get("context", {})
        fields: Data = {}
        context: Data = {}
        fixed = oracle.const(key)
        for name, raw in types.items():
            if name in fixed or raw["type"] == "error":
                continue
            if name in when or not raw.get("optional") or self.maybe(30):
                fields[name] = self.value(raw, when.get(name, "any"))
        for name in facts:
            if name in when and name not in types:
                context[name] = self.value(facts[name], when[name])
        return Case(key, fields, context, self.draw(names.any_text))

    def value(self, raw: Data, tested: Any) -> Any:
        """Draw a value; mostly one that a test is for."""
        type = raw["type"]
        wanted = [t for t in few(tested) if t != "any"]
        if not wanted or self.maybe(10):
            return self.draw(values(self.oracle, type, open=raw.get("open", False)))
        found = self.one(wanted)
        inner = type["list"] if isinstance(type, dict) and "list" in type else type
        if inner == "http_status" and isinstance(found, str):
            found = int(found[0]) * 100 + self.draw(st.integers(0, 99))
        return found if inner is type else [found]
