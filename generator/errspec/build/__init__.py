"""Builds the Catalogue from a document: references linked, inheritance resolved.

`Scope` holds what all parts share; `types`, `verdicts`, `classes` and `codes` each
read their kind of entry. Every problem is reported and its entry left out, so one
run finds them all.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..diagnostics import Diagnostic
from ..model import Catalogue, Group, Record, Retry, Verdict
from ..schema import text
from ..source import Document
from .classes import read_classes
from .classification import read_classification
from .codes import read_codes
from .messages import message_parts
from .nesting import check_nesting
from .scope import Scope, few, optional, prose
from .sharing import check_shared_wire_names, check_wire_names
from .types import ON_WIRE, check_statable, read_field, read_fields
from .verdicts import answer, read_rules

__all__ = ["build", "message_parts"]


def build(
    document: Document, earlier: Iterable[Diagnostic] = ()
) -> tuple[Catalogue, list[Diagnostic]]:
    """Build the catalogue of a document that `schema` has checked.

    `earlier` are the diagnostics of the stages before: what they speak of is set
    aside. Returns the catalogue of all that is sound, and what was found wrong.
    """
    assert isinstance(document.data, dict)
    scope = Scope(document.data, document.name, earlier)
    class_per_code = scope.section("class_per_code", True)
    groups = {
        key: Group(key, prose(raw["title"]), prose(raw.get("meaning")))
        for key, raw in scope.sound("groups")
    }
    records = {
        name: Record(
            name,
            read_fields(scope, raw["fields"], ("types", name, "fields"), reserved=()),
            prose(raw.get("meaning")),
        )
        for name, raw in scope.sound("types")
    }
    for section, into in (("attributes", scope.attributes), ("context", scope.context)):
        for name, raw in scope.sound(section):
            field = read_field(scope, name, raw, (section, name))
            if field and section == "attributes":
                check_statable(scope, field.type, (section, name, "type"))
            if field and scope.is_sound(section, name):
                into[name] = field
    classes = read_classes(scope)
    codes = read_codes(scope, classes, class_per_code)
    _check_empty_classes(scope, classes, codes)
    envelope = scope.section("envelope", {})
    _check_wire(scope, envelope, records, classes, codes)
    check_nesting(scope, records)
    catalogue = Catalogue(
        id=text(scope.section("id", "unnamed")),
        title=prose(scope.section("title", "")),
        version=text(scope.section("version", "0")),
        languages=scope.languages,
        base_class=scope.base,
        class_per_code=class_per_code,
        acronyms=few(scope.section("acronyms", None)),
        compatibility=scope.section("compatibility", "additive"),
        docs_url=optional(scope.section("docs_url", None)),
        wire_case=envelope.get("case", "snake"),
        fields_under=envelope.get("fields_under"),
        groups=groups,
        records=records,
        attributes=scope.attributes,
        context=scope.context,
        classes=classes,
        codes=codes,
        retry=_read_retry(scope),
        foreign_errors=_read_foreign_errors(scope),
        cancellations=few(scope.section("foreign_errors", {}).get("cancellations")),
        classification=read_classification(scope),
    )
    return catalogue, scope.diagnostics


def _check_wire(
    scope: Scope, envelope: Any, records: Any, classes: Any, codes: Any
) -> None:
    """Check that no two things have one name on the wire."""
    case, under = envelope.get("case", "snake"), envelope.get("fields_under")
    if under in ON_WIRE:
        scope.error(
            "wire-name",
            f"every error has {under!r} on the wire already",
            ("envelope", "fields_under"),
            mend="say another name, such as details",
        )
    taken = () if under else ON_WIRE
    for section, entries in (("classes", classes), ("codes", codes)):
        for name, entry in entries.items():
            check_wire_names(scope, entry.fields, (section, name), case, taken)
    check_shared_wire_names(scope, classes, codes, case)
    for name, record in records.items():
        check_wire_names(scope, record.fields, ("types", name), case, ())


def _check_empty_classes(scope: Scope, classes: Any, codes: Any) -> None:
    """Report a class that could never be raised: no code, and not meant to have none."""
    used = {scope.base, *(name for code in codes.values() for name in code.classes)}
    for key in scope.names("codes"):
        if key not in codes:
            return  # a code that was set aside may be the one
    for name, found in classes.items():
        if name in used or found.abstract or found.open or found.extends is None:
            continue
        scope.error(
            "class-without-code",
            f"no code has the class {name}",
            ("classes", name),
            on="key",
            mend="abstract: true, extends: none, or give it a code",
        )


def _read_retry(scope: Scope) -> dict[str, Retry]:
    raw = scope.section("retry", None)
    if raw is None:
        return {}
    shared = {k: v for k, v in raw.items() if k not in ("languages", "wrappers")}
    per_language = raw.get("languages", {})
    for language in per_language:
        if scope.languages and language not in scope.languages:
            path = ("retry", "languages", language)
            scope.unknown("language", language, scope.languages, path, on="key")
    wrappers = few(raw.get("wrappers"))
    found = {}
    for language in scope.languages:
        knobs: dict[str, Any] = {**shared, **per_language.get(language, {})}
        if "backoff_factor" in knobs:
            knobs["backoff_factor"] = text(knobs["backoff_factor"])
        found[language] = Retry(wrappers=wrappers, **knobs)
    return found


def _read_foreign_errors(scope: Scope) -> Verdict | None:
    raw = scope.section("foreign_errors", None)
    if raw is None:
        return None
    status = read_field(
        scope, "status", {"type": "http_status", "optional": True}, ("foreign_errors",)
    )
    assert status is not None
    path = ("foreign_errors", "rules")
    rules = read_rules(scope, raw["rules"], {"status": status}, path, context={})
    answers = [(rule["then"], (*path, n, "then")) for n, rule in enumerate(raw["rules"])]
    for given, place in [*answers, (raw["else"], ("foreign_errors", "else"))]:
        if answer(given) is None:
            message = f"{place[-1]} is true or false here: somebody has to decide"
            scope.error("verdict-type", message, place)
    return Verdict(answer(raw["else"]), rules)
