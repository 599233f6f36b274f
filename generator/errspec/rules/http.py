"""Rules about what a gateway answers."""

from __future__ import annotations

from collections.abc import Iterator

from ..diagnostics import Diagnostic
from .subject import Subject


def statuses_are_stated(subject: Subject) -> Iterator[Diagnostic]:
    codes = [c for c in subject.catalogue.codes.values() if not c.retired]
    if all(code.http is None for code in codes):
        return  # it says nothing of HTTP
    for code in codes:
        if code.http is None:
            yield Diagnostic(
                "",
                f"{code.key} has no HTTP status: it is answered with 500",
                subject.file,
                ("codes", code.key),
                on="key",
                mend="http: and a status from 400 to 599, here or on its class",
            )
