"""Strategies for whole valid catalogues: plain data, as a YAML file would hold it.

What a catalogue must not say is avoided while it is drawn, by asking the oracle for what
is inherited so far.
"""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st

from fuzz import names
from fuzz.choices import Draw
from fuzz.oracle import Case, Data, Oracle
from fuzz.parts import SINCE
from fuzz.trials import Trials
from fuzz.values import stated


@st.composite
def catalogues(draw: Draw) -> tuple[Data, list[Case]]:
    """Draw a catalogue with cases: values for the fields of its codes."""
    author = Author(draw)
    author.write()
    return author.data, author.cases()


class Author(Trials):
    """Writes one catalogue, a part after the other."""

    # The parts, in the order in which they need each other.

    def write(self) -> None:
        draw = self.draw
        ids = st.sampled_from(
            ["a", "class", "import", "x9-y_z", "a" * 40, "async", "json"]
        )
        self.data |= {
            "errspec": 1,
            "id": draw(ids),
            "title": self.text(),
            "version": self.one(["0.1.0", "1.0.0-rc.1"]),
            "languages": [
                "python",
                "typescript",
                *(["rust"] if self.maybe(30) else []),
            ],
            "base_class": self.type_name(),
        }
        if self.maybe(20):
            self.data["class_per_code"] = self.maybe(50)
        if self.maybe(30):
            self.data["acronyms"] = self.one(["HTTP", ["FS", "TimeOut"]])
        if self.maybe(30):
            self.data["docs_url"] = "https://example.org/e?a=1&b=%20'\"#{anchor}"
        if self.maybe(40):
            envelope = {
                "case": self.one(["snake", "camel"]),
                "fields_under": self.one(["details", "x"]),
            }
            self.data["envelope"] = {
                k: v for k, v in envelope.items() if self.maybe(60)
            }
        self.groups()
        self.keys()
        self.fields()
        self.context()
        self.data["classes"] = self.classes
        self.data["codes"] = self.codes
        self.oracle = Oracle(self.data)
        self.write_attributes()
        self.write_classes()
        for key in self.codes:
            self.write_code(key)
        self.close_classes()
        if self.maybe(30):
            self.data["foreign_errors"] = {
                "rules": [{"when": {"status": [429, "5xx"]}, "then": True}],
                "else": self.maybe(50),
            }
        for name in ("classes", "groups", "types", "attributes", "context"):
            if not self.data.get(name):
                self.data.pop(name, None)

    def write_code(self, key: str) -> None:
        raw, oracle = self.codes[key], self.oracle
        self.place(key)
        parents = oracle.parents(key)
        if "retired" in raw:
            raw["retired"] = {"since": self.one(SINCE), "reason": self.text()}
        inherited: Data = {}
        for name in parents:
            for field, own in oracle.class_fields(name).items():
                if field not in inherited or not own.get("optional"):
                    inherited[field] = own
        self.take_fields(raw, inherited)
        for field in raw.get("fields", {}) if oracle.has_own_class(key) else ():
            if field != "cause" and self.maybe(10):
                raw["fields"][field]["wire"] = self.unique(
                    names.texts, self.wires, lambda t: [t]
                )
        if "retired" not in raw or self.maybe(50):
            raw["meaning"] = self.text()
        if self.maybe(8) and len(parents) < 2:
            raw["control"] = True
        control = oracle.of_code(key, "control")
        self.write_common(raw, oracle.fields(key))
        if len(parents) > 1:  # which may disagree on all of these
            raw |= {"http": 400, "message": self.message(oracle.fields(key))}
            if self.data["groups"]:
                raw.setdefault("group", next(iter(self.data["groups"])))
            for column, type in self.data["attributes"].items():
                raw.setdefault("attributes", {})[column] = self.draw(stated(oracle, type))  # type: ignore[arg-type]
        followed = key in self.followed or self.follow_group_of(key)
        if not control:
            self.write_verdict(key, plain=followed, must=len(parents) > 1)
        self.write_const(key)
        self.write_texts(key)
        self.write_languages(key)

    follow_group = ""

    def follow_group_of(self, key: str) -> bool:
        return self.follow_group in self.oracle.groups(key)

    def write_verdict(self, key: str, *, plain: bool, must: bool) -> None:
        raw, oracle = self.codes[key], self.oracle
        now = oracle.of_code(key, "retryable")
        missing = now is None and "retired" not in raw
        follows = isinstance(now, dict) and "follows" in now
        if must or missing or (plain and follows) or self.maybe(50):
            raw["retryable"] = self.verdict(oracle.fields(key), plain=plain)
        now = oracle.of_code(key, "retryable")
        if must or (oracle.of_code(key, "pinned") and now not in (True, False)):
            raw["pinned"] = False
        elif now in (True, False) and self.maybe(15):
            raw["pinned"] = True

    def place(self, key: str) -> None:
        """Put a code among the classes."""
        raw, oracle = self.codes[key], self.oracle
        carrying = [n for n in oracle.classes if not oracle.classes[n].get("abstract")]
        where = self.one(
            ["own", "own", "declared", "declared", "none", "retired", "two"]
        )
        if where == "own" and self.data.get("class_per_code", True):
            if self.classes and self.maybe(40):
                raw["extends"] = self.one(["none", *self.classes])
            name = names.own_class(key, self.acronyms)
            if {name, f"{name}Options"} & self.types or self.maybe(15):
                raw["class"] = self.type_name()
            self.types.update((name, f"{name}Options"))
        elif where == "declared":
            raw["class"] = self.one(carrying)
        elif where == "two" and self.may_share(carrying[1:][-2:]):
            raw["class"] = carrying[1:][-2:]
        elif where == "retired":
            raw["retired"] = {}
        else:
            raw["class"] = "none"

    def may_share(self, classes: list[str]) -> bool:
        marks = [
            [self.oracle.of_class(n, w) or False for w in ("control", "pinned")]
            for n in classes
        ]
        return len(classes) == 2 and marks[0] == marks[1] and not marks[0][0]

    def write_const(self, key: str) -> None:
        raw, oracle = self.codes[key], self.oracle
        follows = oracle.follows(key)
        for name, field in oracle.fields(key).items():
            selects = isinstance(field["type"], list) and "class" in raw
            strategy = (
                stated(oracle, field) if self.maybe(60 if selects else 12) else None
            )
            if (
                isinstance(field["type"], dict)
                and "code" in field["type"]
                and self.followed
                and follows == name
            ):
                strategy = st.sampled_from(self.followed)
            if strategy is not None:
                raw.setdefault("const", {})[name] = self.draw(strategy)

    def write_texts(self, key: str) -> None:
        raw = self.codes[key]
        others = [k for k in self.codes if k != key]
        if self.maybe(25):
            raw["wire"] = (
                self.draw(st.integers(1, 10**6)) if self.maybe(30) else self.free_text()
            )
            if str(raw["wire"]) in self.texts and isinstance(raw["wire"], int):
                del raw["wire"]
            else:
                self.texts.add(str(raw["wire"]))
        if self.maybe(25):
            raw["aliases"] = [
                self.free_text() for _ in range(self.draw(st.integers(1, 2)))
            ]
        if self.maybe(15):
            raw["deprecated"] = {"since": self.one(SINCE)}
            if self.maybe(50):
                raw["deprecated"] |= {"reason": self.text(), "sunset": "2027-01-31"}
            if others and self.maybe(50):
                raw["deprecated"]["use"] = self.one(others)
        if "retired" in raw and others and self.maybe(50):
            raw["retired"]["use"] = self.one(others)

    def write_languages(self, key: str) -> None:
        for lang in self.data["languages"]:
            if not self.maybe(20):
                continue
            local: Data = {}
            kind = self.one(["code", "absent", "texts"])
            if kind == "code":
                mark: Callable[[str], list[str]] = lambda k: [k]  # noqa: E731
                local = {
                    "code": self.unique(names.code_keys, self.texts, mark),
                    "reason": self.text(),
                }
            elif kind == "absent":
                local = {"absent": True, "reason": self.text()}
            if kind == "texts" or self.maybe(30):
                local |= {"raised_by": [self.text()], "meaning": self.text()}
                if self.maybe(50):
                    local["hint"] = self.text()
            self.codes[key].setdefault("languages", {})[lang] = local
