"""The resolved catalogue as plain data: what the json pack publishes.

Everything is inherited and derived; `templates/json/schema.json` describes the shape.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from .model import Classification, Code, Deprecation, Field, Retirement, Type, Verdict
from .naming import cased
from .view import ClassView, View


def resolved(view: View) -> dict[str, Any]:
    """Return a catalogue, seen through its neutral view, as JSON has it."""
    catalogue = view.catalogue
    return {
        "errspec": 1,
        "id": catalogue.id,
        "title": catalogue.title,
        "version": catalogue.version,
        "languages": list(catalogue.languages),
        "base_class": catalogue.base_class,
        "compatibility": catalogue.compatibility,
        "envelope": {
            "case": catalogue.wire_case,
            "fields_under": catalogue.fields_under,
        },
        "groups": [
            {"key": g.key, "title": g.title, "meaning": g.meaning}
            for g in catalogue.groups.values()
        ],
        "types": {
            r.name: {"meaning": r.meaning, "fields": _fields(view, r.fields)}
            for r in catalogue.records.values()
        },
        "attributes": _fields(view, catalogue.attributes.values()),
        "context": _fields(view, catalogue.context.values()),
        "codes": [resolved_code(view, c) for c in catalogue.codes.values()],
        "classes": {
            name: [_class(c) for c in local.classes]
            for name, local in view.languages.items()
        },
        "retry": {
            name: {
                "wrappers": list(r.wrappers),
                "max_retries": r.max_retries,
                "initial_delay_ms": r.initial_delay_ms,
                "backoff_factor": float(r.backoff_factor),
                "max_delay_ms": r.max_delay_ms,
                "jitter": r.jitter,
                "on_failure": r.on_failure,
            }
            for name, r in catalogue.retry.items()
        },
        "foreign_errors": catalogue.foreign_errors
        and _verdict(catalogue.foreign_errors),
        "cancellations": list(catalogue.cancellations),
        "classification": catalogue.classification
        and _classification(catalogue.classification),
    }


def _classification(found: Classification) -> dict[str, Any]:
    return {
        "status": found.status,
        "kind": found.kind,
        "else": msgspec.to_builtins(found.otherwise),
        "cancellation": msgspec.to_builtins(found.cancellation),
        "limits": {"status": found.status_limit, "error_info": found.info_limit},
    }


def resolved_code(view: View, code: Code) -> dict[str, Any]:
    """Return one code, seen through the neutral view of its catalogue."""
    shown = view.code[code.key]
    return {
        "code": code.key,
        "wire": code.wire,
        "spellings": list(shown.spellings),
        "aliases": list(code.aliases),
        "groups": list(code.groups),
        "meaning": code.meaning,
        "hint": code.hint,
        "verdict": _verdict(code.verdict),
        "pinned": code.pinned,
        "control": code.control,
        "http": code.http,
        "fields": _fields(view, code.fields),
        "const": dict(code.const),
        "message": code.message,
        "languages": {
            name: {
                "code": local.code[code.key].spelling,
                "raised": local.code[code.key].is_raised,
                "reason": code.languages[name].reason if name in code.languages else "",
                "classes": list(local.code[code.key].class_names),
                "raised_by": list(local.code[code.key].raised_by),
            }
            for name, local in view.languages.items()
        },
        "attributes": dict(code.attributes),
        "links": list(code.links),
        "since": code.since,
        "deprecated": code.deprecated and _passing(code.deprecated),
        "retired": code.retired and _passing(code.retired),
        "internal": code.internal,
        "docs_url": shown.docs_url,
    }


def _passing(entry: Deprecation | Retirement) -> dict[str, Any]:
    found = {"since": entry.since, "use": entry.use, "reason": entry.reason}
    if isinstance(entry, Deprecation):
        found["sunset"] = entry.sunset
    return found


def _verdict(verdict: Verdict) -> dict[str, Any]:
    return {
        "default": verdict.default,
        "rules": [
            {
                "when": {t.name: list(t.shown) for t in rule.when},
                "then": rule.then,
                "hint": rule.hint,
            }
            for rule in verdict.rules
        ],
        "follows": verdict.follows,
    }


def _fields(view: View, fields: Iterable[Field]) -> dict[str, Any]:
    return {
        f.name: {
            "type": _type(f.type),
            "open": f.type.open,
            "optional": f.optional,
            "meaning": f.meaning,
            "wire": f.wire or cased(f.name, view.catalogue.wire_case),
        }
        for f in fields
    }


def _type(type: Type) -> Any:
    if type.kind == "words":
        return list(type.words)
    if type.item is not None:
        return {type.kind: _type(type.item)}
    return {"code": type.name} if type.kind == "code" else type.name or type.kind


def _class(found: ClassView) -> dict[str, Any]:
    return {
        "name": found.name,
        "extends": found.parent,
        "meaning": found.meaning,
        "abstract": found.abstract,
        "open": found.open,
        "control": found.control,
        "codes": [c.key for c in found.codes],
        "fields": [f.key for f in found.fields],
        "internal": found.internal,
        "raised_by": list(found.raised_by),
        "attributes": dict(found.attributes),
    }
