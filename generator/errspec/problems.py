"""What HTTP says of an error: sample bodies of problem documents, RFC 9457.

They say the same as what generated packages make of such an error; tests compare them.
"""

from __future__ import annotations

import json
from typing import Any

from .build import message_parts
from .judge import Judge, Values
from .vectors import least, on_wire
from .view import CodeView, View
from .view.http import UNMAPPED, phrase


def problem(code: CodeView, view: View) -> dict[str, Any]:
    """Return the body that tells an error of a code, with the least that it carries."""
    model = code.model
    values = least(view.catalogue, model)
    status = model.http or UNMAPPED
    body: dict[str, Any] = {
        "title": phrase(status),
        "status": status,
        "detail": _message(code, values),
        "code": code.wire,
        "retryable": Judge(view.catalogue, model)(values, {}),
    }
    if code.docs_url:
        body = {"type": code.docs_url, **body, "title": code.meaning}
    if values:
        body[view.http.member] = on_wire(view.catalogue, model.fields, values)
    return body


def _message(code: CodeView, values: Values) -> str:
    if not code.model.message:
        return code.meaning
    parts = message_parts(code.model.message)
    return "".join(_text(values[p]) if is_field else p for is_field, p in parts)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)
