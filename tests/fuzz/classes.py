"""The declared classes of a catalogue."""

from __future__ import annotations

from hypothesis import strategies as st

from fuzz.oracle import Data
from fuzz.parts import Parts


class Classes(Parts):
    """Draws classes; those that no code is in are made abstract in the end."""

    def write_classes(self) -> None:
        if self.maybe(40):
            self.classes[self.oracle.base] = {}
            self.oracle.classes[self.oracle.base] = self.classes[self.oracle.base]
            self.write_class(self.oracle.base)
        for _ in range(self.draw(st.integers(0, 3))):
            name = self.type_name()
            raw: Data = {}
            if self.maybe(50):
                raw["extends"] = self.one(["none", *self.classes])
            self.classes[name] = self.oracle.classes[name] = raw
            self.write_class(name)

    def write_class(self, name: str) -> None:
        raw, oracle = self.classes[name], self.oracle
        above = oracle.parent(name)
        inherited = oracle.class_fields(above) if above else {}
        self.take_fields(raw, inherited)
        if name != oracle.base and self.maybe(15):
            raw[self.one(["abstract", "open"])] = True
        if self.maybe(10):
            raw["control"] = True
        self.write_common(raw, oracle.class_fields(name))
        control = oracle.of_class(name, "control")
        if not control and self.maybe(60):
            raw["retryable"] = self.verdict(oracle.class_fields(name))
        verdict = oracle.of_class(name, "retryable")
        if not control and verdict in (True, False) and self.maybe(20):
            raw["pinned"] = True
        if (
            not control
            and oracle.of_class(name, "pinned")
            and verdict not in (True, False)
        ):
            raw["pinned"] = False

    def close_classes(self) -> None:
        """Make abstract the classes that no code is in."""
        used = {name for key in self.codes for name in self.carried_by(key)}
        for name, raw in self.classes.items():
            if name in used or name == self.oracle.base or raw.get("open"):
                continue
            if raw.get("extends") != "none":
                raw["abstract"] = True

    def carried_by(self, key: str) -> list[str]:
        return [] if "retired" in self.codes[key] else self.oracle.carriers(key)
