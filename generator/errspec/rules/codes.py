"""Rules about codes as a set: that there are some, and how they belong together."""

from __future__ import annotations

from collections.abc import Iterator

from ..diagnostics import Diagnostic, Related, listed
from ..model import Code
from .subject import Subject


def some_codes(subject: Subject) -> Iterator[Diagnostic]:
    if subject.whole and not subject.catalogue.codes:
        yield Diagnostic(
            "",
            "the catalogue has no codes",
            subject.file,
            ("codes",),
            on="key",
            mend="add the first one",
        )


def codes_have_groups(subject: Subject) -> Iterator[Diagnostic]:
    groups = subject.catalogue.groups
    for key, code in subject.catalogue.codes.items():
        if groups and not code.groups and not code.retired:
            yield Diagnostic(
                "",
                f"{key} is in no group",
                subject.file,
                ("codes", key),
                on="key",
                mend=f"add group: {listed(list(groups)[:5])}",
            )


def codes_of_a_class_fix_the_same(subject: Subject) -> Iterator[Diagnostic]:
    members: dict[str, list[Code]] = {}
    for code in subject.catalogue.codes.values():
        for name in code.classes:
            members.setdefault(name, []).append(code)
    for name, codes in members.items():
        fields = dict.fromkeys(field for code in codes for field in code.const)
        for field in fields if len(codes) > 2 else ():
            lacking = [code for code in codes if field not in code.const]
            if len(lacking) != 1:
                continue
            key = lacking[0].key
            other = next(code.key for code in codes if field in code.const)
            place = ("codes", other, "const", field)
            yield Diagnostic(
                "",
                f"{key} does not fix {field}, and all other codes of {name} do",
                subject.file,
                ("codes", key),
                on="key",
                mend=f"const: {{{field}: …}}",
                related=(Related(f"{other} does here", place),),
            )


def delays_grow(subject: Subject) -> Iterator[Diagnostic]:
    raw = subject.data.get("retry")
    for language, retry in subject.catalogue.retry.items():
        if retry.initial_delay_ms <= retry.max_delay_ms or not isinstance(raw, dict):
            continue
        own = raw.get("languages", {}).get(language, {})
        places = (
            *(("retry", "languages", language, k) for k in own),
            *(("retry", k) for k in raw),
        )
        keys = ("initial_delay_ms", "max_delay_ms")
        yield Diagnostic(
            "",
            f"the first delay, {retry.initial_delay_ms} ms, "
            f"is longer than any may be: {retry.max_delay_ms} ms",
            subject.file,
            next(place for place in places if place[-1] in keys),
            mend="a smaller initial_delay_ms, or a larger max_delay_ms",
        )
        return
