"""What a failed run says of each code, and of each class, where the catalogue says it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct

from ..model import Classification, Outcome
from .class_view import ClassView
from .entries import CodeView


class OutcomesView(Struct, frozen=True):
    """Outcomes that differ from that of any other error.

    That of a code goes before that of its class: classes matter where their errors may
    have any code or none, and where several classes share one.
    """

    codes: tuple[tuple[CodeView, Outcome], ...]
    classes: tuple[tuple[ClassView, Outcome], ...]


def outcomes(
    found: Classification, codes: Iterable[CodeView], classes: Iterable[ClassView]
) -> OutcomesView:
    """Read from the attributes of codes and classes what a failed run says of them."""

    def outcome(attributes: Mapping[str, Any]) -> Outcome | None:
        if found.status not in attributes and found.kind not in attributes:
            return None
        return Outcome(
            attributes.get(found.status, found.otherwise.status),
            attributes.get(found.kind, found.otherwise.kind),
        )

    of_codes = ((code, outcome(code.model.attributes)) for code in codes)
    of_classes = ((cls, outcome(cls.model.attributes)) for cls in classes if cls.model)
    return OutcomesView(
        tuple((code, one) for code, one in of_codes if one),
        tuple((cls, one) for cls, one in of_classes if one),
    )
