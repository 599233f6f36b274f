"""A Rust program reads what a gateway answers, and agrees with it on every code."""

from __future__ import annotations

import json
import pathlib
from collections.abc import Mapping, Sequence
from typing import Any

import httpx

from packages import generate
from rust import catalogue, crate, run_tests, string, workspace
from serving import serving
from support import CATALOGUES, ROOT

Recorded = Mapping[str, Any]
"""An answer: `status`, `headers`, and the `body` of a problem as JSON has it."""

READ = """
#[test]
fn the_bodies_are_understood() {{
    use criogen_errors::{{AnyCode, CriogenError, ErrorCode}};
    let bodies: &[(&str, &str, bool, bool, Option<&str>, u16)] = &[
{rows}
    ];
    let mut seen = std::collections::BTreeSet::new();
    for &(code, detail, retryable, default, retry_after, status) in bodies {{
        let mut error = CriogenError::from_parts(code, detail, Some(retryable));
        if let Some(text) = retry_after {{
            error = error.with_retry_after(text);
            assert!(error.retry_after().is_some(), "{{code}}: {{text}}");
        }}
        assert_eq!(error.known().map(AnyCode::from), Some(code.into()));
        assert_eq!((error.code(), error.message()), (code, detail));
        assert_eq!(error.retryable(), retryable, "{{code}}");
        assert!(error.http_status().map_or(true, |own| own == status), "{{code}}");
        assert_eq!(error.known().map(ErrorCode::retryable), Some(default), "{{code}}");
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
        # The gateway's model is overloaded, which may pass; others may not.
        default = "false" if body["code"] == "model_failed" else verdict
        row = [*words, verdict, default, told, str(answer["status"])]
        rows.append(f"({', '.join(row)}),")
    count = len({answer["body"]["code"] for answer in answers})
    return READ.format(rows="\n".join(rows), count=count)


def test_every_answer_of_the_gateway_is_understood(tmp_path: pathlib.Path) -> None:
    """Of all 65 codes Rust has the code, the verdict and the status that was answered."""
    criogen = crate(catalogue("criogen"), tmp_path)
    package = generate(CATALOGUES["criogen"], tmp_path)
    script = str(ROOT / "tests" / "gateway.py")
    with (
        serving(script, str(package), "starlette") as url,
        httpx.Client(base_url=url) as client,
    ):
        got = [client.get(f"/errors/{code.key}") for code in criogen.view.codes]
    answers = [
        {"status": one.status_code, "headers": dict(one.headers), "body": one.json()}
        for one in got
    ]
    assert len(answers) == 65
    assert sum("retry-after" in answer["headers"] for answer in answers) == 3
    tests = {criogen.name: {"gateway": reader(answers)}}
    assert run_tests(workspace(tmp_path, {criogen.name: criogen}, tests)) == {}
