"""What a failed run says of errors, by the tables in tests/cases/classify, in both languages."""

from __future__ import annotations

import asyncio
import concurrent.futures
import importlib
import json
import pathlib
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from javascript import generate as generate_typescript
from javascript import run_node
from packages import generate, imported
from support import CASES, ROOT

SPEC = CASES / "catalogues" / "classified.yaml"
OTHER = ["failed", 'an "error" */ é']
STOPPED = ["stopped", "cancellation"]


def table(name: str) -> list[dict[str, Any]]:
    text = (CASES / "classify" / f"{name}.yaml").read_text("utf-8")
    rows: list[dict[str, Any]] = yaml.safe_load(text)
    return rows


ROWS, TEXTS = table("errors"), table("redact")


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The Python package, and its module that classifies."""
    with imported(generate(SPEC, tmp_path_factory.mktemp("classified"))) as found:
        importlib.import_module("classified_errors.classify")
        yield found


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the TypeScript package says of everything."""
    folder = tmp_path_factory.mktemp("classified")
    root = generate_typescript(SPEC.read_text("utf-8"), folder, "classified")
    texts = [row["text"] for row in TEXTS]
    asked = {"package": str(root), "rows": ROWS, "texts": texts}
    script = ROOT / "tests" / "classify_runner.mjs"
    told: dict[str, Any] = json.loads(run_node(script, input=asked))
    return told


def expected(row: dict[str, Any], language: str) -> dict[str, Any]:
    wire = row.get("wire") or {"code": row["make"][-2], "message": row["make"][-1]}
    code = row.get("code", row.get("spelt", {}).get(language, wire["code"]))
    first, second = row.get("messages", [wire["message"]] * 2)
    return {
        "status": {"code": row["status"], "message": first},
        "error_info": {
            "kind": row["kind"],
            "message": second,
            "code": code,
            "retryable": row["retryable"],
        },
    }


@pytest.mark.parametrize("number", range(len(ROWS)))
def test_an_error_of_the_catalogue_is_what_the_catalogue_says(
    number: int, package: Any, node: dict[str, Any]
) -> None:
    """Status and kind of its code, else of its class, else of any error."""
    row = ROWS[number]
    if "wire" in row:
        error = package.from_wire(row["wire"])
    else:
        name, *given = row["make"]
        error = getattr(package, name)(*given)
    assert package.classify.classify(error) == expected(row, "python")
    wanted = expected(row, "typescript")
    wanted["errorInfo"] = wanted.pop("error_info")
    if wanted["errorInfo"]["code"] is None:  # which JSON leaves out there
        del wanted["errorInfo"]["code"]
    assert node["rows"][number] == wanted


@pytest.mark.parametrize("number", range(len(TEXTS)))
def test_secrets_are_taken_out_of_texts(
    number: int, package: Any, node: dict[str, Any]
) -> None:
    """What looks like a secret goes, in both languages alike; the rest stays."""
    row = TEXTS[number]
    told = row.get("told", row["text"])
    assert package.classify.redact_secrets(row["text"]) == told
    assert node["texts"][number] == told


class UserAbortError(Exception):
    pass


class StoppedByUser(UserAbortError):
    pass


def having(error: BaseException, **values: Any) -> BaseException:
    error.__dict__.update(values)
    return error


class Unsayable(Exception):
    @property
    def code(self) -> str:
        raise ValueError("SECRET")

    def __str__(self) -> str:
        raise ValueError("SECRET")


FOREIGN: list[tuple[str, BaseException, list[str], bool]] = [
    ("plain", ValueError("m"), OTHER, True),
    ("cancelled task", asyncio.CancelledError("m"), STOPPED, False),
    ("cancelled future", concurrent.futures.CancelledError("m"), STOPPED, False),
    ("interrupt", KeyboardInterrupt("m"), STOPPED, False),
    ("class of a library", UserAbortError("m"), STOPPED, False),
    ("class below it", StoppedByUser("m"), STOPPED, False),
    ("group", ExceptionGroup("m", [StoppedByUser("x")]), STOPPED, False),
    ("status 503", having(OSError("m"), status=503), OTHER, True),
    ("status_code 404", having(OSError("m"), status_code=404), OTHER, False),
    ("status text", having(OSError("m"), status="404"), OTHER, True),
    ("status NaN", having(OSError("m"), status=float("nan")), OTHER, True),
    ("status True", having(OSError("m"), status=True), OTHER, True),
    (
        "status of the answer",
        having(OSError("m"), response=SimpleNamespace(status_code=401)),
        OTHER,
        False,
    ),
]


@pytest.mark.parametrize(
    ("error", "outcome", "retryable"),
    [row[1:] for row in FOREIGN],
    ids=[row[0] for row in FOREIGN],
)
def test_H1_a_foreign_error_is_judged_by_its_status(
    error: BaseException, outcome: list[str], retryable: bool, package: Any
) -> None:
    """A cancellation is one, and never retried; a status counts where it is a number."""
    told = package.classify.classify(error)
    assert [told["status"]["code"], told["error_info"]["kind"]] == outcome
    assert told["error_info"]["retryable"] is retryable


@pytest.mark.parametrize(
    ("name", "outcome", "retryable"),
    [
        ("plain", OTHER, True),
        ("abort", STOPPED, False),
        ("abort signal", STOPPED, False),
        ("class of a library", STOPPED, False),
        ("class below it", STOPPED, False),
        ("name of a library", STOPPED, False),
        ("several, one is an abort", STOPPED, False),
        ("status 503", OTHER, True),
        ("status 404", OTHER, False),
        ("status text", OTHER, True),
        ("status NaN", OTHER, True),
        ("status true", OTHER, True),
        ("status of the answer", OTHER, True),
        ("proxy", OTHER, True),
    ],
)
def test_H1_so_it_is_in_typescript(
    name: str, outcome: list[str], retryable: bool, node: dict[str, Any]
) -> None:
    """By the names of AbortError, and of the classes that the catalogue names."""
    told = node["foreign"][name]
    assert [told["status"]["code"], told["errorInfo"]["kind"]] == outcome
    assert told["errorInfo"]["retryable"] is retryable


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("E1", "E1"),
        (7, 7),
        (1.5, 1.5),
        (True, None),
        (None, None),
        (float("nan"), None),
        (float("inf"), None),
        ({}, None),
        ("x" * 65, "x" * 63 + "…"),
    ],
)
def test_a_code_of_text_or_number_is_carried_over(
    code: object, told: object, package: Any
) -> None:
    """That of a foreign error too; anything else is none."""
    found = package.classify.classify(having(ValueError("m"), code=code))
    assert found["error_info"]["code"] == told


def test_so_it_is_carried_over_in_typescript(node: dict[str, Any]) -> None:
    """Undefined, which JSON leaves out, where there is none."""
    codes = {k: v["errorInfo"].get("code") for k, v in node["foreign"].items()}
    told = {k: codes[k] for k in codes if k.startswith(("code", "long", "an object"))}
    assert told == {
        "code text": "ECONNRESET",
        "code number": 7,
        "code NaN": None,
        "code object": None,
        "code throws": None,
        "long code": "x" * 63 + "…",
        "an object": "X",
    }


def test_whatever_an_error_is_it_is_told_in_few_words(
    package: Any, node: dict[str, Any]
) -> None:
    """Megabytes, halves of characters, texts that throw; and no secret."""
    classify = package.classify.classify
    for text, start in (
        ("x" * 10**7, "x" * 63),
        ("\ud83d" * 10**7, "\ud83d" * 63),
        ("word " * 2_000_000, "word " * 12 + "wor"),
    ):
        told = classify(ValueError(text))["error_info"]["message"]
        assert told == f"{start}…"
    assert classify(Unsayable())["error_info"]["message"] == "Unsayable"
    for name, told in node["foreign"].items():
        message = told["errorInfo"]["message"]
        assert 0 < len(message) <= 64 and len(told["status"]["message"]) <= 16, name
        assert "SECRET" not in json.dumps(told), name
    said = {name: one["errorInfo"]["message"] for name, one in node["foreign"].items()}
    assert said["10 MB of words"] == "word " * 12 + "wor…"
    assert (said["message throws"], said["nothing"]) == ("Error", "undefined")


def test_whoever_knows_better_may_say_so(package: Any, node: dict[str, Any]) -> None:
    """The kind, and what takes secrets out; where that fails, no message is told."""
    classify = package.classify.classify

    def fails(text: str) -> str:
        raise ValueError("SECRET")

    error = ValueError("m")
    told = {
        "kind": classify(error, kind="callback")["error_info"]["kind"],
        "redact": classify(error, redact=lambda _: "other")["error_info"]["message"],
        "throws": classify(error, redact=fails)["error_info"]["message"],
        "none": classify(error, redact=lambda _: None)["error_info"]["message"],
    }
    assert told == {"kind": "callback", "redact": "other"} | dict.fromkeys(
        ("throws", "none"), "ValueError"
    )
    assert node["options"] == told | {"throws": "Error", "none": "Error"}


WORDS = st.sampled_from(
    [
        "password",
        "token",
        "secret",
        "api_key",
        "authorization",
        "cookie",
        "Bearer",
        "x",
        "é",
        "=",
        ":",
        "%3D",
        "://",
        "@",
        "/",
        "-",
        "--",
        ",",
        " ",
        "\n",
        '"',
        "'",
        "\\",
    ]
)


@settings(max_examples=300, derandomize=True, deadline=None)
@given(st.lists(WORDS, max_size=12).map("".join))
def test_what_stands_beside_a_secret_stays_readable(package: Any, text: str) -> None:
    """A text without the sign of a secret is not touched."""
    redact = package.classify.redact_secrets
    told = redact(text)
    signs = ("=", ":", "%3D", "Bearer", "--", "-")
    if not any(sign in text for sign in signs):
        assert told == text


def test_a_path_of_attributes_is_checked(tmp_path: pathlib.Path) -> None:
    """An attribute that is not there, one that is no text, values that are none of its."""
    from errspec.config import Config, Entry
    from errspec.project import Project

    text = SPEC.read_text("utf-8")
    text = text.replace("status: ends", "status: end").replace(
        "kind: kind", "kind: note"
    )
    text = text.replace("status: stopped", "status: halted")
    spec = tmp_path / "wrong.yaml"
    spec.write_text(text, encoding="utf-8")
    entry = Entry(spec, "wrong.yaml", ("json",))
    project = Project(Config(tmp_path, pathlib.Path("out"), (entry,)))
    [loaded] = project.load_all()
    said = [d.message for d in loaded.diagnostics]
    assert "unknown attribute 'end'" in said
    assert "the attribute 'note' is no text" in said
