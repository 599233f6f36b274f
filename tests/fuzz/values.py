"""Values of the types that fields have, hostile ones among them."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from fuzz.names import any_text, texts
from fuzz.oracle import Oracle, few

SAFE = 2**53 - 1
numbers = st.integers(-SAFE, SAFE) | st.floats(allow_nan=False, allow_infinity=False)
durations = st.integers(0, 10**6)
statuses = st.sampled_from([100, 199, 200, 404, 429, 499, 500, 503, 599])
times = st.sampled_from(
    ["2027-01-31T12:00:00Z", "0001-01-01t00:00:00.5z", "2024-02-29T23:59:60+01:00"]
)
leaves = st.booleans() | st.integers(-SAFE, SAFE) | any_text
json_values = st.recursive(
    leaves | st.none() | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(any_text, inner, max_size=2)
    ),
    max_leaves=4,
).filter(lambda value: value is not None)

SIMPLE: dict[str, st.SearchStrategy[Any]] = {
    "string": any_text,
    "integer": st.integers(-SAFE, SAFE),
    "number": numbers,
    "boolean": st.booleans(),
    "json": json_values,
    "http_status": statuses,
    "duration_ms": durations,
    "timestamp": times,
    "retry_after": durations | any_text,
}


def values(oracle: Oracle, type: Any, *, open: bool = False) -> st.SearchStrategy[Any]:
    """Return a strategy for values of a type; those of records by their fields' names."""
    if isinstance(type, list):
        return st.sampled_from(type) | texts if open else st.sampled_from(type)
    if isinstance(type, dict):
        [(kind, inner)] = type.items()
        if kind == "code":
            return st.sampled_from(spellings(oracle, inner)) | st.just("no such code")
        items = values(oracle, inner)
        if kind == "list":
            return st.lists(items, max_size=2)
        return st.dictionaries(any_text, items, max_size=2)
    if type in SIMPLE:
        return SIMPLE[type]
    fields = oracle.data["types"][type]["fields"]
    parts = {
        n: (values(oracle, raw["type"], open=raw.get("open", False)), raw)
        for n, raw in fields.items()
    }
    return st.fixed_dictionaries(
        {n: value for n, (value, raw) in parts.items() if not raw.get("optional")},
        optional={n: value for n, (value, raw) in parts.items() if raw.get("optional")},
    )


def spellings(oracle: Oracle, group: str) -> list[str]:
    """Return every text that stands for a code of a group."""
    found = ["no such code"]
    for key, raw in oracle.codes.items():
        if group in oracle.groups(key):
            found += [*oracle.spellings(key), *few(raw.get("aliases"))]
    return found


def stated(oracle: Oracle, raw: Any) -> st.SearchStrategy[Any] | None:
    """Return a strategy for what a catalogue can state of a type: `const`, attributes.

    None where that is nothing, or where it would be too much.
    """
    type = raw["type"]
    if isinstance(type, list):
        return st.sampled_from(type)
    if isinstance(type, dict):
        [(kind, inner)] = type.items()
        item = stated(oracle, {"type": inner}) if kind == "list" else None
        return None if item is None else st.lists(item, min_size=1, max_size=2)
    known: dict[str, st.SearchStrategy[Any]] = {
        **SIMPLE,
        "integer": st.integers(-(10**15) + 1, 10**15 - 1),
        "number": st.sampled_from([0, 3, "1.5", "-2e3", "1e300"]),
        "json": st.recursive(
            st.booleans() | st.integers(0, 9) | texts,
            lambda inner: (
                st.lists(inner, min_size=1, max_size=2)
                | st.dictionaries(texts, inner, min_size=1, max_size=2)
            ),
            max_leaves=4,
        ),
        "retry_after": any_text,
    }
    return known.get(type)
