"""A catalogue over HTTP: the statuses of its codes, and the form of its problems."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct

from ..naming import cased
from .entries import CodeView

if TYPE_CHECKING:
    from . import View

UNMAPPED = 500
"""The status of an error whose code states none."""

PROBLEM_MEMBERS = frozenset(
    ("type", "title", "status", "detail", "instance", "code", "retryable")
)
"""What a problem has at its top: RFC 9457, section 3.1, and what every error has."""

# The registered reason phrases (RFC 9110, RFC 4918, RFC 6585 and others). A table of our
# own, since that of Python's library changes from one version to the next.
_PHRASES = {
    400: "Bad Request",
    401: "Unauthorized",
    402: "Payment Required",
    403: "Forbidden",
    404: "Not Found",
    405: "Method Not Allowed",
    406: "Not Acceptable",
    407: "Proxy Authentication Required",
    408: "Request Timeout",
    409: "Conflict",
    410: "Gone",
    411: "Length Required",
    412: "Precondition Failed",
    413: "Content Too Large",
    414: "URI Too Long",
    415: "Unsupported Media Type",
    416: "Range Not Satisfiable",
    417: "Expectation Failed",
    421: "Misdirected Request",
    422: "Unprocessable Content",
    423: "Locked",
    424: "Failed Dependency",
    425: "Too Early",
    426: "Upgrade Required",
    428: "Precondition Required",
    429: "Too Many Requests",
    431: "Request Header Fields Too Large",
    451: "Unavailable For Legal Reasons",
    500: "Internal Server Error",
    501: "Not Implemented",
    502: "Bad Gateway",
    503: "Service Unavailable",
    504: "Gateway Timeout",
    505: "HTTP Version Not Supported",
    506: "Variant Also Negotiates",
    507: "Insufficient Storage",
    508: "Loop Detected",
    510: "Not Extended",
    511: "Network Authentication Required",
}


class StatusView(Struct, frozen=True):
    """A status of HTTP, and the codes that have it."""

    status: int
    phrase: str
    codes: tuple[CodeView, ...]


def phrase(status: int) -> str:
    """Return what a status is called; its class's name where nobody registered it."""
    names = {4: "Client Error", 5: "Server Error"}
    return _PHRASES.get(status) or names.get(status // 100, "Other Status")


def statuses(codes: Iterable[CodeView]) -> tuple[StatusView, ...]:
    """Sort codes by their status, in its order; 500 is always there."""
    found: dict[int, list[CodeView]] = {UNMAPPED: []}
    for code in codes:
        found.setdefault(code.model.http or UNMAPPED, []).append(code)
    return tuple(
        StatusView(status, phrase(status), tuple(members))
        for status, members in sorted(found.items())
    )


class HttpView(Struct, frozen=True, dict=True):
    """What a language's packages say over HTTP, and how."""

    view: View

    @cached_property
    def answers(self) -> tuple[StatusView, ...]:
        """The HTTP statuses with the codes that are answered with them, for readers."""
        return statuses(self.view.shown)

    @cached_property
    def statuses(self) -> tuple[StatusView, ...]:
        """The same; empty where no code states a status: then nothing is said of HTTP."""
        stated = any(c.model.http for c in self.view.codes if not c.model.retired)
        return self.answers if stated else ()

    @cached_property
    def phrases(self) -> Mapping[int, str]:
        """What each status is called with which any code of the catalogue is answered."""
        return {one.status: one.phrase for one in statuses(self.view.codes)}

    @property
    def member(self) -> str:
        """The member of an HTTP problem that holds the fields, out of the others' way."""
        under = self.view.catalogue.fields_under
        return "details" if under is None or under in PROBLEM_MEMBERS else under

    @cached_property
    def waits(self) -> tuple[str, ...]:
        """The names of the fields that hold a Retry-After; retry_after is among them."""
        fields = (f for c in self.view.classes for f in c.fields)
        found = (f.name for f in fields if f.kind == "retry_after")
        return tuple(dict.fromkeys([self.view.name("retry_after", "field"), *found]))

    @property
    def wait_on_wire(self) -> str:
        """What a Retry-After is called on the wire for which an error has no field."""
        return cased("retry_after", self.view.catalogue.wire_case)
