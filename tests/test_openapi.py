"""The OpenAPI document: valid, true to the catalogue, and fit to be referred to."""

from __future__ import annotations

import copy
import functools
import importlib
import json
import pathlib
import re
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

import pytest
import yaml
from markdown_it import MarkdownIt
from openapi_schema_validator import OAS31Validator, oas31_format_checker
from openapi_spec_validator import OpenAPIV31SpecValidator

from errspec.escapes import NEVER_RAW
from hostile import HOSTILE, rendered, spoken
from packages import generate, imported
from support import CATALOGUES, ROOT, compile_files, errspec
from test_hostile_text import SLOT, read
from test_python_text import bare as on_page

Document = dict[str, Any]

PARSER = MarkdownIt("gfm-like")

EMPTY = """\
errspec: 1
id: empty
title: No errors
version: 0.1.0
languages: [python]
base_class: EmptyError
codes: {}
"""
TAKEN = """\
errspec: 1
id: taken
title: Names that are taken
version: 0.1.0
languages: [python]
base_class: TakenError
envelope: {fields_under: status}
types:
  Problem: {fields: {required: {type: Problem400, optional: true}}}
  ErrorCode: {fields: {code: {type: {list: Problem}}}}
  Problem400: {fields: {items: {type: {map: ErrorCode}}}}
  Problem404: {fields: {x: {type: json}}}
codes:
  A:
    meaning: It is bad.
    retryable: unset
    http: 400
    fields: {required: {type: Problem400, optional: true}, plain: {type: Problem404, optional: true}}
  B: {meaning: It is worse., retryable: true, http: 400, fields: {list: {type: {list: ErrorCode}}}}
  C: {meaning: It is worst., retryable: false, fields: {status: {type: http_status}}}
  D:
    meaning: It was said.
    message: "It was {said} within {seconds} s"
    fields: {said: {type: boolean}, seconds: {type: number}}
    retryable: {rules: [{when: {said: true}, then: true}], else: false}
"""


def document_of(text: str, folder: pathlib.Path) -> Document:
    """Compile a catalogue's text to the document."""
    spec = folder / "catalogue.yaml"
    spec.write_text(text, encoding="utf-8")
    [package] = compile_files(spec, "openapi")
    assert list(package.files) == ["openapi.json"]
    found: Document = json.loads(package.files["openapi.json"])
    return found


@functools.cache
def document(name: str) -> Document:
    """Return the document of a catalogue of the tests."""
    [package] = compile_files(CATALOGUES[name], "openapi")
    found: Document = json.loads(package.files["openapi.json"])
    return found


@pytest.fixture(scope="module", params=[*CATALOGUES, "empty", "taken"])
def any_document(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Document:
    """Each document in turn."""
    texts = {"empty": EMPTY, "taken": TAKEN}
    if request.param in texts:
        folder = tmp_path_factory.mktemp("openapi")
        return document_of(texts[request.param], folder)
    return document(request.param)


def problems(found: Document, name: str, body: object) -> list[str]:
    """Say what is wrong with the body of a problem, by the schema of its response."""
    media = found["components"]["responses"][name]["content"]
    schema = {**media["application/problem+json"]["schema"], **found}
    validator = OAS31Validator(schema, format_checker=oas31_format_checker)
    return [error.message for error in validator.iter_errors(body)]


def examples(found: Document) -> list[tuple[str, str, Any]]:
    """Return all examples: the response's name, the code, the body."""
    return [
        (name, code, example["value"])
        for name, response in found["components"]["responses"].items()
        for code, example in response["content"]["application/problem+json"][
            "examples"
        ].items()
    ]


def test_a_document_is_valid(any_document: Document) -> None:
    """It is OpenAPI 3.1 of components, and all that it refers to is there; tools that
    take no document without paths find none."""
    assert list(any_document) == ["openapi", "info", "paths", "components"]
    assert any_document["paths"] == {}
    assert any_document["openapi"] == "3.1.0"
    assert not list(OpenAPIV31SpecValidator(any_document).iter_errors())
    components = any_document["components"]
    assert list(components) == ["schemas", "responses", "headers"]
    for names in components.values():
        assert all(re.fullmatch(r"[A-Za-z0-9._-]+", name) for name in names)
    for target in re.findall(r'"\$ref": "#/([^"]+)"', json.dumps(any_document)):
        functools.reduce(lambda part, key: part[key], target.split("/"), any_document)


def test_examples_are_what_their_schemas_say(any_document: Document) -> None:
    """Each code has one example, in the response of its status, which the schema takes."""
    for name, code, body in examples(any_document):
        assert problems(any_document, name, body) == []
        assert name == f"Problem{body['status']}"
        assert (code == "no code") is ("code" not in body)


@pytest.mark.parametrize("name", CATALOGUES)
def test_every_code_is_in_one_response(name: str) -> None:
    """Every code of the enumeration is told in one response, and has an example there;
    retired and internal ones are nowhere."""
    found = document(name)
    known = found["components"]["schemas"]["ErrorCode"]["enum"]
    told: list[object] = []
    for response in found["components"]["responses"]:
        schema = found["components"]["schemas"][response]
        for part in (schema, *schema.get("oneOf", ())):
            told += part.get("properties", {}).get("code", {}).get("enum", ())
    assert sorted(map(str, told)) == sorted(map(str, known))
    assert len(set(map(str, known))) == len(known)
    shown = [body["code"] for _, _, body in examples(found) if "code" in body]
    assert len(shown) == len(set(shown)) and set(shown) <= set(known)


def test_criogen() -> None:
    """The responses of criogen are those of its statuses, and 500 is for all the rest."""
    found = document("criogen")["components"]
    codes = {
        name: [c for n, c, _ in examples(document("criogen")) if n == name]
        for name in found["responses"]
    }
    rest = codes.pop("Problem500")
    assert codes == {
        "Problem400": ["invalid_request", "context_overflow", "content_filter"],
        "Problem401": ["invalid_api_key"],
        "Problem404": ["model_not_found"],
        "Problem429": [
            "rate_limited",
            "key_rate_limited",
            "concurrency_limited",
            "budget_exceeded",
        ],
        "Problem502": [
            "server",
            "network",
            "auth",
            "permission",
            "not_found",
            "quota_exhausted",
            "invalid_response",
            "unknown",
        ],
        "Problem503": ["overloaded"],
        "Problem504": ["timeout"],
    }
    assert len(rest) == 65 - 19 + 1 and rest[:2] == ["no code", "node_failed"]
    assert [n for n, r in found["responses"].items() if "headers" in r] == [
        "Problem429"
    ]
    assert len(found["schemas"]["ErrorCode"]["enum"]) == 65


def test_what_a_problem_says() -> None:
    """An example is what the server answers: with the page of the code and its meaning, or
    with the phrase of the status; with the verdict, and the fields under one member."""
    criogen = {code: body for _, code, body in examples(document("criogen"))}
    assert criogen["invalid_api_key"] == {
        "type": "https://criogen.example/errors#invalid_api_key",
        "title": "The request carries no virtual key that the gateway knows.",
        "status": 401,
        "detail": "The request carries no virtual key that the gateway knows.",
        "code": "invalid_api_key",
        "retryable": False,
    }
    assert criogen["no code"] == {"title": "Internal Server Error", "status": 500}
    assert criogen["limit_exceeded"]["details"] == {"limit": "text"}
    sink = {code: body for _, code, body in examples(document("sink"))}
    assert sink["node_timeout"]["code"] == 1205
    assert sink["budget"]["detail"] == "Agent text used 7 of {budget} tokens"
    assert sink["budget"]["details"] == {
        "agent": "text",
        "tokensUsed": 7,
        "class": True,
    }
    assert sink["POLICY_DENIED"]["details"] == {"reason": "denied"}
    assert sink["open_one"]["retryable"] is None
    agent = {code: body for _, code, body in examples(document("agent"))}
    assert agent["FS_ESCAPE"]["title"] == "Internal Server Error"
    assert "type" not in agent["FS_ESCAPE"]


@pytest.mark.parametrize("name", ["criogen", "sink", "taken"])
def test_examples_are_what_a_server_writes(name: str, tmp_path: pathlib.Path) -> None:
    """Read and written by the Python package, an example is the same problem."""
    spec = CATALOGUES.get(name, tmp_path / "catalogue.yaml")
    text = TAKEN.replace("ErrorCode", "Item")  # which Python has a use for, too
    found = document(name) if name in CATALOGUES else document_of(text, tmp_path)
    with imported(generate(spec, tmp_path)) as package:
        module = importlib.import_module(f"{package.__name__}.problem")
        for response, code, body in examples(found):
            if code != "no code":
                error = module.from_problem(body)
                told = module.to_problem(error)
                assert (told.body, error.extra) == (body, {})
                assert response == f"Problem{told.status}"


def test_an_example_says_what_follows_from_its_fields(
    tmp_path: pathlib.Path, python_package: Callable[[str], ModuleType]
) -> None:
    """Message and verdict are those of an error that carries what the example does."""
    text = TAKEN.replace("ErrorCode", "Item")
    bodies = {code: body for _, code, body in examples(document_of(text, tmp_path))}
    error = python_package(text).DError(said=True, seconds=1.5)
    assert bodies["D"]["details"] == {"said": True, "seconds": 1.5}
    assert bodies["D"]["detail"] == error.message == "It was true within 1.5 s"
    assert bodies["D"]["retryable"] is error.retryable is True


def test_codes_as_any_language_writes_them() -> None:
    """The enumeration has what languages write: other spellings, and values of the wire."""
    schemas = document("sink")["components"]["schemas"]
    known = schemas["ErrorCode"]["enum"]
    assert {"POLICY_DENIED", "POLICY_DENY", 1205, "08P01"} <= set(known)
    assert not {"node_timeout", "timeout_of_node", "auth", "OLD"} & set(known)
    assert schemas["ErrorCode"]["type"] == ["string", "integer"]
    model, text = schemas["ErrorCode.model"]["anyOf"]
    assert model["enum"] == ["http.connect", "rate_limited", "overloaded"]
    assert text == {"type": "string"}


FIELDS = {
    "agent": {"type": "string"},
    "tokensUsed": {"type": "integer"},
    "took": {"type": "integer", "minimum": 0},
    "at": {"type": "string", "format": "date-time"},
    "rate": {"type": "number"},
    "flags": {"type": "array", "items": {"type": "string", "enum": ["a", "b"]}},
    "issues": {"type": "array", "items": {"$ref": "#/components/schemas/Issue"}},
    "raw": {},
    "args": {"type": "array", "items": {"type": "string"}},
    "class": {"const": True},
    "Retry-After": {"type": ["number", "string"], "minimum": 0},
    "scope": {"anyOf": [{"enum": ["x", "y"]}, {"type": "string"}]},
}
"""The fields of the code `budget`, without the cause, which does not travel."""


def test_fields_have_the_types_of_the_catalogue() -> None:
    """Each type is said in JSON Schema, and so is what must be there."""
    schemas = document("sink")["components"]["schemas"]
    shapes = {
        tuple(shape["properties"]["code"]["enum"]): shape
        for shape in schemas["Problem500"]["oneOf"]
        if "details" in shape["properties"]
    }
    budget = shapes[("budget",)]
    assert budget["properties"]["details"]["properties"] == FIELDS
    assert budget["properties"]["details"]["required"] == [
        "agent",
        "tokensUsed",
        "class",
    ]
    assert budget["required"] == ["code", "details"]
    followed = shapes[("model_failed",)]
    assert followed["properties"]["details"] == {
        "type": "object",
        "properties": {"modelError": {"$ref": "#/components/schemas/ErrorCode.model"}},
    }
    assert followed["required"] == ["code"]
    assert schemas["Issue"] == {
        "description": "One thing that is wrong.",
        "type": "object",
        "required": ["code"],
        "properties": {
            "code": {"type": "string", "enum": ["NO_AGENT", "MISMATCH"]},
            "path": {"type": "array", "items": {"type": "string"}},
            "inner": {
                "type": "array",
                "items": {"$ref": "#/components/schemas/Issue"},
            },
        },
    }
    assert schemas["Usage"]["properties"]["byModel"] == {
        "type": "object",
        "additionalProperties": {"type": "integer"},
    }


def test_names_that_are_taken(tmp_path: pathlib.Path) -> None:
    """A record that has the name of a component of ours keeps its place beside it, and
    fields that have names of a problem or of JSON Schema are fields like any other."""
    found = document_of(TAKEN, tmp_path)
    schemas = found["components"]["schemas"]
    records = {"Problem_", "ErrorCode_", "Problem400_", "Problem404"}
    assert set(schemas) == {
        *records,
        *("ErrorCode", "Problem", "Problem400", "Problem500"),
    }
    assert schemas["ErrorCode_"]["properties"]["code"]["items"] == {
        "$ref": "#/components/schemas/Problem_"
    }
    first, second = schemas["Problem400"]["oneOf"]
    assert first["required"] == ["code"]  # none of its fields must be there
    assert second["required"] == ["code", "details"]
    assert first["properties"]["details"]["properties"] == {
        "required": {"$ref": "#/components/schemas/Problem400_"},
        "plain": {"$ref": "#/components/schemas/Problem404"},
    }
    bodies = {code: body for _, code, body in examples(found)}
    assert bodies["C"]["details"] == {"status": 500}


# What is changed in the example of a code, and what the schema then says of it.
WRONG: tuple[tuple[str, dict[str, Any]], ...] = (
    ("auth", {"status": 503}),
    ("auth", {"status": "502"}),
    ("auth", {"code": "overloaded"}),
    ("auth", {"code": "never heard of"}),
    ("auth", {"code": None}),
    ("auth", {"retryable": "no"}),
    ("auth", {"retryable": None}),
    ("auth", {"title": None}),
    ("auth", {"detail": None}),
    ("auth", {"details": ["a list"]}),
    ("budget_exceeded", {"details": {"retry_after": -1}}),
    ("budget_exceeded", {"details": {"retry_after": True}}),
    ("limit_exceeded", {"details": None}),
    ("limit_exceeded", {"details": {}}),
    ("limit_exceeded", {"details": {"limit": 7}}),
    ("eval_failed", {"details": {"failures": ["a", 1]}}),
    ("node_failed", {"detail": None}),
    ("node_failed", {"code": "auth"}),
    ("no code", {"status": 502}),
    ("no code", {"title": 5}),
)


@pytest.mark.parametrize(("code", "change"), WRONG)
def test_a_wrong_problem_is_noticed(code: str, change: dict[str, Any]) -> None:
    """A body of another status, code or field than the response has is refused. (None
    takes a member away.)"""
    found = document("criogen")
    [(name, body)] = [(n, b) for n, c, b in examples(found) if c == code]
    changed = {k: v for k, v in {**body, **change}.items() if v is not None}
    assert problems(found, name, body) == []
    assert problems(found, name, changed)


GATEWAY: Document = {
    "openapi": "3.1.0",
    "info": {"title": "A gateway", "version": "1"},
    "paths": {
        "/chat": {
            "post": {
                "responses": {
                    "200": {"description": "The answer."},
                    "429": {
                        "$ref": "errors/openapi.json#/components/responses/Problem429"
                    },
                    "default": {
                        "$ref": "errors/openapi.json#/components/responses/Problem500"
                    },
                }
            }
        }
    },
    "components": {
        "schemas": {
            "Failed": {
                "type": "object",
                "properties": {
                    "error": {
                        "$ref": "errors/openapi.json#/components/schemas/ErrorCode"
                    }
                },
            }
        }
    },
}


def test_a_gateways_document_refers_to_it(tmp_path: pathlib.Path) -> None:
    """The document of a gateway takes responses and schemas from the file, and is valid;
    it is not where it names a component that is not there."""
    (tmp_path / "errors").mkdir()
    text = json.dumps(document("criogen"))
    (tmp_path / "errors/openapi.json").write_text(text, encoding="utf-8")
    here = (tmp_path / "gateway.json").as_uri()
    assert not list(OpenAPIV31SpecValidator(GATEWAY, base_uri=here).iter_errors())
    wrong = copy.deepcopy(GATEWAY)
    responses = wrong["paths"]["/chat"]["post"]["responses"]
    responses["418"] = {"$ref": "errors/openapi.json#/components/responses/Problem418"}
    with pytest.raises(Exception, match="Problem418"):
        list(OpenAPIV31SpecValidator(wrong, base_uri=here).iter_errors())


def test_the_readme_refers_to_it() -> None:
    """What the docs show of a gateway's document is valid beside generated/."""
    page = PARSER.parse((ROOT / "docs/http.md").read_text(encoding="utf-8"))
    [block] = [b.content for b in page if b.content.startswith("responses:")]
    operation = {"/chat": {"post": yaml.safe_load(block)}}
    gateway = {**GATEWAY, "paths": operation, "components": {}}
    here = (ROOT / "gateway.json").as_uri()
    assert not list(OpenAPIV31SpecValidator(gateway, base_uri=here).iter_errors())


# --------------------------------------------------------------------------- hostile text

PAGE = "openapi/hostile/openapi.json"


def compared(plain: Any, found: Any, given: Mapping[str, str]) -> None:
    """Fail where a document differs from that of plain texts by more than its texts.

    A description is Markdown: it has the same blocks, and shows each text as it is.
    """
    assert type(plain) is type(found)
    if isinstance(plain, dict):
        assert len(plain) == len(found)
        for (name, one), (key, other) in zip(plain.items(), found.items(), strict=True):
            assert SLOT.sub(lambda slot: given[slot[1]], name) == key
            if name == "description" and isinstance(one, str):
                shown(one, other, given)
            else:
                compared(one, other, given)
    elif isinstance(plain, list):
        for one, other in zip(plain, found, strict=True):
            compared(one, other, given)
    elif isinstance(plain, str):
        assert SLOT.sub(lambda slot: given[slot[1]], plain) == found
    else:
        assert plain == found


def shown(plain: str, found: str, given: Mapping[str, str]) -> None:
    """Fail where a description has other blocks, or shows something else."""
    for one, other in zip(PARSER.parse(plain), PARSER.parse(found), strict=True):
        assert (one.type, one.tag, one.nesting) == (
            other.type,
            other.tag,
            other.nesting,
        )
        (kinds, text), (others, seen) = read(one), read(other)
        assert kinds == others
        assert seen == on_page(SLOT.sub(lambda slot: given[slot[1]], text))


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Document:
    """The document of a catalogue whose texts are their own names."""
    folder = tmp_path_factory.mktemp("plain")
    texts = rendered(lambda name: f"«{name}»", folder, ["openapi"])
    found: Document = json.loads(texts[PAGE])
    return found


@pytest.mark.parametrize("case", HOSTILE)
def test_any_text_is_said_as_it_is(
    case: str, plain: Document, tmp_path: pathlib.Path
) -> None:
    """Whatever a text holds, the document is valid, keeps its shape, and says that text."""
    given, say = spoken(HOSTILE[case])
    text = rendered(say, tmp_path, ["openapi"])[PAGE]
    assert not NEVER_RAW.search(text.replace("\n", ""))
    found: Document = json.loads(text)
    assert not list(OpenAPIV31SpecValidator(found).iter_errors())
    compared(plain, found, given)
    for name, _, body in examples(found):
        assert problems(found, name, body) == []


def test_a_document_grows_with_the_codes(tmp_path: pathlib.Path) -> None:
    """Twice the codes make twice the document, also where each names all the others."""

    def size(count: int) -> int:
        codes = "".join(
            f"  C{n}: {{group: all, meaning: It failed., retryable: true, http: 429, "
            f"fields: {{other: {{type: {{code: all}}, meaning: to {n}}}}}}}\n"
            for n in range(count)
        )
        head = EMPTY.replace("codes: {}\n", "groups: {all: {title: All}}\ncodes:\n")
        found = document_of(head + codes, tmp_path)
        assert len(found["components"]["schemas"]["Problem429"]["oneOf"]) == count
        return len(json.dumps(found))

    assert size(1000) < 2.1 * size(500)


def test_codes_that_carry_the_same_share_a_schema() -> None:
    """A schema is said once for all the codes of a status whose fields are alike."""
    schema = document("criogen")["components"]["schemas"]["Problem429"]
    codes = [shape["properties"]["code"]["enum"] for shape in schema["oneOf"]]
    assert codes == [
        ["rate_limited"],
        ["key_rate_limited", "concurrency_limited"],
        ["budget_exceeded"],
    ]


def test_the_file_is_the_same_each_time(tmp_path: pathlib.Path) -> None:
    """Other hash seeds and folders change no byte of it."""
    found = set()
    for seed in ("0", "1"):
        done = errspec(
            "generate", CATALOGUES["sink"], "--target", "openapi", "--out", seed,
            cwd=tmp_path, PYTHONHASHSEED=seed,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        found.add((tmp_path / seed / "openapi/sink/openapi.json").read_bytes())
    assert len(found) == 1
