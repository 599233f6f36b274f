"""HTTP statuses: which of them the codes of a catalogue have, and what they are called."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from .entries import CodeView

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
