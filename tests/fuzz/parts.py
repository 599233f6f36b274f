"""The parts of a catalogue that its codes and classes are made of: fields, verdicts."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from fuzz import names
from fuzz.choices import Choices
from fuzz.names import texts
from fuzz.oracle import Data, Oracle
from fuzz.values import SIMPLE, stated

ANSWERS = (True, False, "unset")
TESTED = ("string", "integer", "boolean", "http_status", "duration_ms")
SHOWN = ("string", "integer", "boolean")
SINCE = ("0.1.0", "1.10", "2024-01-01", "0x10", 'v1 "beta" | 2')


class Parts(Choices):
    """Draws what stands beside the classes and codes, and what is alike in them."""

    oracle: Oracle
    wires: set[str]

    def groups(self) -> None:
        self.data["groups"] = {}
        for _ in range(self.draw(st.integers(0, 3))):
            name = self.unique(
                names.group_names,
                self.types,
                lambda n: [names.pascal(n, self.acronyms) + "Code"],
            )
            self.data["groups"][name] = {"title": self.text()}
            if self.maybe(40):
                self.data["groups"][name]["meaning"] = self.text()

    def keys(self) -> None:
        """Draw the codes' keys, and which of them are in the group that is followed."""
        taken: set[str] = set()
        for _ in range(self.draw(st.integers(1, 6))):
            key = self.unique(names.code_keys, taken, lambda k: [names.constant(k)])
            self.codes[key] = {}
            self.texts.add(key)
        if self.data["groups"] and self.maybe(50):
            group = self.one(list(self.data["groups"]))
            self.followed = [key for key in self.codes if self.maybe(40)]
            for key in self.followed:
                self.codes[key]["group"] = group
            self.follow_group = group

    def fields(self) -> None:
        """Draw the fields that entries take from: a name has one type everywhere."""
        records = [self.type_name() for _ in range(self.draw(st.integers(0, 2)))]
        self.wires = wires = {"code", "message", "retryable"}
        taken = wires | {"cause"}
        for _ in range(self.draw(st.integers(0, 6))):
            name = self.unique(
                names.field_names, taken, lambda n: [n, names.camel(n, {})]
            )
            self.pool[name] = self.field(name, records, wires)
        if self.maybe(30):
            self.pool["cause"] = {"type": "error"}
        self.data["types"] = {}
        for number, record in enumerate(records):
            inner: Data = {}
            marks: set[str] = set()
            inside: set[str] = set()
            for _ in range(self.draw(st.integers(1, 3))):
                name = self.unique(
                    names.field_names, marks, lambda n: [n, names.camel(n, {})]
                )
                # A record holds later ones only: none has to hold itself.
                inner[name] = self.field(name, records[number + 1 :], inside)
                if self.maybe(40):
                    inner[name]["optional"] = True
            self.data["types"][record] = {"fields": inner}
            if self.maybe(40):
                self.data["types"][record]["meaning"] = self.text()

    def field(self, name: str, records: list[str], wires: set[str]) -> Data:
        found: Data = {"type": self.type(records)}
        if isinstance(found["type"], list) and self.maybe(20):
            found["open"] = True
        if self.maybe(30):
            found["wire"] = self.unique(texts, wires, lambda t: [t])
        elif {name, names.camel(name, {})} & wires:
            found["wire"] = self.unique(st.just(f"{name}_wire"), wires, lambda t: [t])
        else:
            wires.update((name, names.camel(name, {})))
        if self.maybe(30):
            found["meaning"] = self.text()
        return found

    def type(self, records: list[str], depth: int = 0) -> Any:
        kinds = ["simple", "words", "list", "map"]
        kinds += ["code"] if self.followed else []
        kinds += ["record"] if records else []
        match self.one(kinds[: 2 if depth > 1 else None]):
            case "words":
                count = self.draw(st.integers(1, 3))
                taken: set[str] = set()
                return [self.unique(texts, taken, lambda t: [t]) for _ in range(count)]
            case "list" | "map" as kind:
                return {kind: self.type(records, depth + 1)}
            case "code":
                return {"code": self.follow_group}
            case "record":
                return self.one(records)
            case _:
                return self.one(list(SIMPLE))

    def context(self) -> None:
        self.data["context"] = {}
        taken = {names.camel(name, {}) for name in self.pool} | {"error", "context"}
        for _ in range(self.draw(st.integers(0, 2))):
            name = self.unique(
                names.field_names, taken, lambda n: [n, names.camel(n, {})]
            )
            type = self.one(
                ["boolean", "integer", "string", ["x", "y"], {"list": "string"}]
            )
            self.data["context"][name] = {"type": type}

    def write_attributes(self) -> None:
        columns = self.data["attributes"] = {}
        taken = {"code", "meaning", "http"}
        for _ in range(self.draw(st.integers(0, 2))):
            name = self.unique(
                names.field_names, taken, lambda n: [n, names.camel(n, {})]
            )
            type = self.one(["string", "number", "boolean", "json", {"list": "string"}])
            columns[name] = {"type": type}

    def write_common(self, raw: Data, fields: Data) -> None:
        """Write what classes and codes have alike."""
        groups = list(self.data["groups"])
        if groups and "group" not in raw and self.maybe(40):
            raw["group"] = self.some(groups, 2) or groups[0]
        if self.maybe(20):
            raw["hint"] = self.text()
        if self.maybe(20):
            raw["http"] = self.one([400, 429, 503])
        if self.maybe(30):
            raw["raised_by"] = list(dict.fromkeys([self.text(), self.text()]))
        if self.maybe(20):
            raw["since"] = self.one(SINCE)
        if self.maybe(10):
            raw["internal"] = True
        if self.maybe(20):
            raw["message"] = self.message(fields)
        if self.maybe(10):
            raw["links"] = ["https://a.b/'\"<>&", "http://c"]
        for column, type in self.data["attributes"].items():
            if self.maybe(30):
                strategy = stated(self.oracle, type)
                raw.setdefault("attributes", {})[column] = self.draw(strategy)  # type: ignore[arg-type]

    def message(self, fields: Data) -> str:
        usable = [
            name
            for name, field in fields.items()
            if not field.get("optional")
            and (field["type"] in SHOWN or isinstance(field["type"], list))
        ]
        parts = [self.text().replace("{", "{{").replace("}", "}}")]
        parts += [f"{{{name}}}" for name in self.some(usable, 2)]
        return "".join(reversed(parts) if self.maybe(50) else parts)

    def take_fields(self, raw: Data, inherited: Data) -> None:
        """Give an entry fields of the pool; what is required above stays so."""
        for name in self.some(list(self.pool), 3):
            own = dict(self.pool[name])
            required = name in inherited and not inherited[name].get("optional")
            if not required and self.maybe(50):
                own["optional"] = True
            raw.setdefault("fields", {})[name] = own

    def verdict(self, fields: Data, *, plain: bool = False) -> Any:
        follow = [
            n
            for n, f in fields.items()
            if isinstance(f["type"], dict) and "code" in f["type"]
        ]
        usable = {**self.data["context"], **fields}
        if not fields.get("cause", {}).get("optional"):  # then vectors cannot tell
            usable.pop("cause", None)
        if plain or self.maybe(40) or not usable:
            return self.one(ANSWERS)
        if follow and self.maybe(40):
            return {"follows": self.one(follow), "else": self.one(ANSWERS)}
        rules = [self.rule(usable) for _ in range(self.draw(st.integers(1, 3)))]
        return {"rules": rules, "else": self.one(ANSWERS)}

    def rule(self, usable: Data) -> Data:
        tested = self.some(list(usable), 2) or [next(iter(usable))]
        rule: Data = {
            "when": {n: self.test(usable[n]) for n in tested},
            "then": self.one(ANSWERS),
        }
        if self.maybe(30):
            rule["hint"] = self.text()
        return rule

    def test(self, raw: Data) -> Any:
        type = raw["type"]
        inner = type["list"] if isinstance(type, dict) and "list" in type else type
        if isinstance(inner, dict) and "code" in inner and self.followed:
            found: list[Any] = self.some(self.followed, 2)
        elif isinstance(inner, list):
            found = self.some(inner, 2)
        elif inner == "http_status":
            found = self.some([404, 429, "4xx", "5xx", 599])
        elif isinstance(inner, str) and inner in TESTED:
            strategy = texts if inner == "string" else SIMPLE[inner]
            if inner == "integer":
                strategy = st.integers(-(10**15) + 1, 10**15 - 1)
            found = self.draw(st.lists(strategy, max_size=2, unique=True))
        else:
            return "any"
        if not found or self.maybe(10):
            found.append("any")
        found = list(dict.fromkeys(found))
        return found[0] if len(found) == 1 and self.maybe(50) else found
