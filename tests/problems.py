"""The tables of errors as HTTP answers, which the runners of every language read."""

from __future__ import annotations

import functools
import json
from typing import Any

import yaml

from support import CASES, ROOT

Row = dict[str, Any]


def rows(name: str) -> list[Row]:
    """Return the rows of a table; the bodies of answers as `bytes` or `parts`."""
    text = (CASES / "problem" / f"{name}.yaml").read_text(encoding="utf-8")
    found: list[Row] = yaml.safe_load(text)
    assert len({row["name"] for row in found}) == len(found)
    for row in found:
        row["isJson"] = "json" in row
        if "json" in row:
            row["parts"] = [json.dumps(row.pop("json"), ensure_ascii=False)]
        elif "body" in row:
            row["parts"] = [row.pop("body")]
    return found


def catalogue(name: str) -> str:
    """Return the text of a catalogue of the tables."""
    folder = ROOT / "spec" if name == "criogen" else CASES / "catalogues"
    if name == "paged":
        text = (folder / "gateway.yaml").read_text(encoding="utf-8")
        envelope = "envelope: {fields_under: title}"
        pages = "docs_url: 'https://e.org/#{anchor}'"
        return text.replace("envelope: {case: camel}", f"{envelope}\n{pages}")
    return (folder / f"{name}.yaml").read_text(encoding="utf-8")


CATALOGUES = ("criogen", "sink", "gateway", "paged")


def problem_of(row: Row) -> tuple[Row, dict[str, str]]:
    """Return the body and the headers that the problem of a row has."""
    body = {
        "type": row.get("type"),
        "title": row["title"],
        "status": row["status"],
        "detail": row["error"]["message"],
        "code": row.get("code", row["error"]["code"]),
        row.get("member", "details"): row.get("fields"),
    }
    kept = {name: value for name, value in body.items() if value is not None}
    headers = {"Content-Type": "application/problem+json"}
    if "wait" in row:
        headers["Retry-After"] = row["wait"]
    return {**kept, "retryable": row["retryable"]}, headers


def unfolded(value: Any) -> Any:
    """Return a value of a table with `{nested: N}` as N lists, one in the other."""
    if isinstance(value, dict) and [*value] == ["nested"]:
        start: list[Any] = []
        return functools.reduce(
            lambda inner, _: [inner], range(value["nested"] - 1), start
        )
    if isinstance(value, dict):
        return {key: unfolded(one) for key, one in value.items()}
    return value
