"""What a catalogue says, worked out from its data and the design alone."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

from fuzz import names

Answer = bool | None
Data = dict[str, Any]


def few(raw: Any) -> list[str]:
    """Return a list, also where a list of one has dropped its brackets."""
    return [] if raw is None else raw if isinstance(raw, list) else [raw]


class Catalogue:
    """A valid catalogue with everything inherited."""

    def __init__(self, data: Data) -> None:
        self.data = data
        self.base: str = data["base_class"]
        self.classes: dict[str, Data] = {self.base: {}, **data.get("classes", {})}
        self.codes: dict[str, Data] = data["codes"]
        self.acronyms = {a.upper(): a for a in few(data.get("acronyms"))}
        self.under: str | None = data.get("envelope", {}).get("fields_under")

    @cached_property
    def languages(self) -> list[str]:
        return few(self.data["languages"])

    # Classes.

    def parent(self, name: str) -> str | None:
        above = self.classes[name].get("extends", self.base)
        return None if name == self.base or above == "none" else str(above)

    def lineage(self, name: str | None) -> Iterator[str]:
        while name is not None:
            yield name
            name = self.parent(name)

    def of_class(self, name: str, key: str) -> Any:
        """Return what a class hands down under a key; None where it says nothing."""
        for cls in self.lineage(name):
            raw = self.classes[cls]
            if key in ("retryable", "pinned") and self.of_class(cls, "control"):
                return key == "pinned"
            if key in raw:
                return raw[key]
        return None

    def class_fields(self, name: str) -> Data:
        found: Data = {}
        for cls in reversed(list(self.lineage(name))):
            found.update(self.classes[cls].get("fields", {}))
        return found

    # Codes.

    def carriers(self, key: str) -> list[str]:
        """Return the declared classes that a code names."""
        return [n for n in few(self.codes[key].get("class")) if n in self.classes]

    def whole(self, key: str) -> Data:
        """Return the class that carries this code alone: what it says goes for the code."""
        named = [
            n
            for k in self.codes
            if "retired" not in self.codes[k]
            for n in self.carriers(k)
        ]
        for name in self.carriers(key) if "retired" not in self.codes[key] else ():
            alone = named.count(name) == len(self.carriers(key)) == 1
            if alone and name != self.base and not self.classes[name].get("open"):
                return self.classes[name]
        return {}

    def is_internal(self, cls: str) -> bool:
        """Tell whether a class is left out of what a package offers."""
        owners = [
            k for k in self.codes if self.has_own_class(k) and self.own_name(k) == cls
        ]
        raw = self.codes[owners[0]] if owners else self.classes.get(cls, {})
        return bool(raw.get("internal"))

    def has_own_class(self, key: str) -> bool:
        raw = self.codes[key]
        if "retired" in raw or not self.data.get("class_per_code", True):
            return False
        return few(raw.get("class")) != ["none"] and not self.carriers(key)

    def own_name(self, key: str) -> str:
        stated = few(self.codes[key].get("class"))
        return stated[0] if stated else names.own_class(key, self.acronyms)

    def parents(self, key: str) -> list[str]:
        if carriers := self.carriers(key):
            return carriers
        above = self.codes[key].get("extends", self.base)
        return [] if above == "none" else [above]

    def of_code(self, key: str, what: str) -> Any:
        """Return what a code says under a key, or inherits."""
        raw = self.codes[key]
        if what in ("retryable", "pinned") and self.of_code(key, "control"):
            return what == "pinned"
        if what in raw:
            return raw[what]
        if what == "message":  # which a class does not inherit itself
            found = (self.classes[name].get(what) for name in self.parents(key))
        else:
            found = (self.of_class(name, what) for name in self.parents(key))
        return next((value for value in found if value is not None), None)

    def groups(self, key: str) -> list[str]:
        return few(self.of_code(key, "group"))

    def fields(self, key: str) -> Data:
        """Return a code's fields, inherited ones included."""
        found: Data = {}
        for name in self.parents(key):
            for field, raw in self.class_fields(name).items():
                if field not in found or found[field].get("optional"):
                    found[field] = raw  # what one of its classes requires is required
        found.update(self.codes[key].get("fields", {}))
        return found

    def const(self, key: str) -> Data:
        types = self.fields(key)
        raw: Data = self.codes[key].get("const", {})
        return {n: self.stated(types[n]["type"], v) for n, v in raw.items()}

    def attributes(self, key: str) -> Data:
        found: Data = {}
        for name in self.parents(key):
            for cls in reversed(list(self.lineage(name))):
                found |= self.classes[cls].get("attributes", {})
        found |= self.codes[key].get("attributes", {})
        columns = self.data.get("attributes", {})
        return {n: self.stated(columns[n]["type"], v) for n, v in found.items()}

    def stated(self, type: Any, raw: Any) -> Any:
        """Return the value of a type that a catalogue's text says: 1.5 is no number."""
        if type == "number" and isinstance(raw, str):
            return float(raw)
        if isinstance(type, dict) and "list" in type:
            return [self.stated(type["list"], item) for item in raw]
        return raw

    # Languages.

    def local(self, key: str, lang: str) -> Data:
        found: Data = self.codes[key].get("languages", {}).get(lang, {})
        return found

    def spelling(self, key: str, lang: str) -> str:
        return str(self.local(key, lang).get("code", key))

    def spellings(self, key: str) -> list[str]:
        local = self.codes[key].get("languages", {}).values()
        return list(dict.fromkeys([key, *(o["code"] for o in local if "code" in o)]))

    def is_raised(self, key: str, lang: str) -> bool:
        retired = "retired" in self.codes[key]
        return not retired and not self.local(key, lang).get("absent", False)

    def class_names(self, key: str, lang: str) -> list[str]:
        if not self.is_raised(key, lang):
            return []
        own = self.has_own_class(key)
        return [self.own_name(key)] if own else self.carriers(key)

    def wire(self, key: str, lang: str) -> str | int:
        found: str | int = self.codes[key].get("wire", self.spelling(key, lang))
        return found

    def prose(self, key: str, what: str, lang: str) -> str:
        """Return the meaning or the hint; what a language says itself comes first."""
        local = self.local(key, lang).get(what)
        own = local or self.codes[key].get(what) or self.whole(key).get(what, "")
        return str(own).strip()

    def raised_by(self, key: str, lang: str) -> list[str]:
        local = few(self.local(key, lang).get("raised_by"))
        own = few(self.codes[key].get("raised_by"))
        return local or own or few(self.whole(key).get("raised_by"))

    def docs_url(self, key: str) -> str | None:
        url = self.data.get("docs_url")
        if self.codes[key].get("internal"):  # the docs leave it out
            return None
        return url and url.replace("{anchor}", key)

    # Verdicts.

    def default(self, key: str) -> Answer:
        """Return the verdict where no rule matches; None for unset."""
        raw = self.of_code(key, "retryable")
        answer = raw["else"] if isinstance(raw, dict) else raw
        return answer if isinstance(answer, bool) else None

    def rules(self, key: str) -> list[Data]:
        raw = self.of_code(key, "retryable")
        return raw.get("rules", []) if isinstance(raw, dict) else []

    def follows(self, key: str) -> str | None:
        raw = self.of_code(key, "retryable")
        return raw.get("follows") if isinstance(raw, dict) else None

    def named(self, text: Any) -> str | None:
        """Return the code that any spelling, alias or wire value stands for."""
        for key, raw in self.codes.items():
            texts = [*self.spellings(key), *few(raw.get("aliases")), raw.get("wire")]
            if isinstance(text, str) and text in texts:
                return key
        return None

    def verdict(self, key: str, fields: Data, context: Data) -> Answer:
        """Judge a code by an error's fields and what the caller knows."""
        if (name := self.follows(key)) is not None:
            target = self.named(fields.get(name))
            if target is None:
                return self.default(key)
            if "retired" in self.codes[target] and self.default(target) is None:
                return self.default(key)
            return self.default(target)
        for rule in self.rules(key):
            types = self.fields(key)
            if all(
                self.holds(
                    types[name]["type"] if name in types else self.fact(name),
                    few(tested),
                    (fields if name in types else context).get(name),
                )
                for name, tested in rule["when"].items()
            ):
                then = rule["then"]
                return then if isinstance(then, bool) else None
        answer = self.default(key)
        if answer is None and "retired" in self.codes[key] and not self.rules(key):
            return False  # such a code says nothing of retries, stated or not
        return answer

    def fact(self, name: str) -> Any:
        return self.data["context"][name]["type"]

    def holds(self, type: Any, tested: list[Any], value: Any) -> bool:
        """Tell whether one of the tested values is that of a field, or of an item."""
        if value is None:
            return False
        items = value if isinstance(type, dict) and "list" in type else [value]
        inner = type["list"] if isinstance(type, dict) and "list" in type else type
        for one in tested:
            if one == "any" and not (isinstance(inner, list) and "any" in inner):
                return True
            if any(self._is(inner, one, item) for item in items):
                return True
        return False

    def _is(self, type: Any, one: Any, value: Any) -> bool:
        if isinstance(type, dict) and "code" in type:
            return bool(self.named(value) == one)
        if isinstance(one, str) and type == "http_status":
            return bool(value // 100 == int(one[0]))
        return bool(value == one) and isinstance(value, bool) is isinstance(one, bool)
