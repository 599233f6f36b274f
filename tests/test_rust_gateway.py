"""A Rust program reads what a gateway answers, and agrees with it on every code."""

from __future__ import annotations

import json
import pathlib
from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import Any

from rust import catalogue, crate, run_tests, string, workspace

Recorded = Mapping[str, Any]
"""An answer: `status`, `headers`, and the `body` of a problem as JSON has it."""

READ = """
#[test]
fn the_bodies_are_understood() {{
    use criogen_errors::{{AnyCode, CriogenError, ErrorCode}};
    let bodies: &[(&str, &str, bool, Option<&str>, u16)] = &[
{rows}
    ];
    let mut seen = std::collections::BTreeSet::new();
    for &(code, detail, retryable, retry_after, status) in bodies {{
        let mut error = CriogenError::from_parts(code, detail, Some(retryable));
        if let Some(text) = retry_after {{
            error = error.with_retry_after(text);
            assert!(error.retry_after().is_some(), "{{code}}: {{text}}");
        }}
        assert_eq!(error.known().map(AnyCode::from), Some(code.into()));
        assert_eq!((error.code(), error.message()), (code, detail));
        assert_eq!(error.retryable(), retryable, "{{code}}");
        assert!(error.http_status().map_or(true, |own| own == status), "{{code}}");
        assert_eq!(error.known().map(ErrorCode::retryable), Some(retryable), "{{code}}");
        seen.extend(error.known());
    }}
    assert_eq!(seen.len(), {count});
}}
"""


def reader(answers: Sequence[Recorded]) -> str:
    """Return a Rust test that reads recorded answers; their JSON is split here."""
    rows = []
    for answer in answers:
        body = answer["body"]
        headers = {name.lower(): value for name, value in answer["headers"].items()}
        after = headers.get("retry-after")
        told = f"Some({string(after)})" if after is not None else "None"
        words = (string(body["code"]), string(body["detail"]))
        verdict = json.dumps(body["retryable"])
        rows.append(f"({', '.join(words)}, {verdict}, {told}, {answer['status']}),")
    count = len({answer["body"]["code"] for answer in answers})
    return READ.format(rows="\n".join(rows), count=count)


def answered(package: ModuleType, vectors: Sequence[Any]) -> list[Recorded]:
    """Return an answer for each code, made of the error that Python has of it."""
    answers: dict[str, Recorded] = {}
    for vector in vectors:
        code = vector["languages"]["python"]["wire"]
        fields = {"details": vector["fields"]} if vector["fields"] else {}
        wire = {"code": code, "message": f"{code} – “x” \\ \n", **fields}
        told = package.to_wire(package.from_wire(wire))
        info = package.CODES[vector["code"]]
        after = told.get("details", {}).get("retry_after")
        status = info.http or 500
        body = {"type": info.docs_url, "title": info.meaning, "status": status}
        body |= {"detail": told.pop("message"), **told}
        headers = {} if after is None else {"Retry-After": str(after)}
        answers[code] = {"status": status, "headers": headers, "body": body}
    return json.loads(json.dumps(list(answers.values())))  # type: ignore[no-any-return]


def test_every_answer_of_the_gateway_is_understood(
    tmp_path: pathlib.Path, python_package: Callable[[str], ModuleType]
) -> None:
    """Of all 65 codes Rust has the code, the verdict and the status that was answered."""
    criogen = crate(catalogue("criogen"), tmp_path)
    package = python_package(catalogue("criogen"))
    plain = [v for v in criogen.vectors["vectors"] if "the least" in v["name"]]
    every = [v for v in criogen.vectors["vectors"] if "retry_after" in v["fields"]]
    answers = answered(package, [*plain, *every])
    assert len(answers) == len(criogen.view.codes) == 65
    assert sum("Retry-After" in answer["headers"] for answer in answers) == 3
    tests = {criogen.name: {"gateway": reader(answers)}}
    assert run_tests(workspace(tmp_path, {criogen.name: criogen}, tests)) == {}
