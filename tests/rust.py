"""Generated Rust crates in tests: compiled from catalogues, checked and run by cargo."""

from __future__ import annotations

import json
import os
import pathlib
import re
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

from errspec.config import Config, Entry
from errspec.model import Type
from errspec.project import Project
from errspec.view import CodeView, FieldView, View
from support import CATALOGUES, missing, need


@dataclass(frozen=True)
class Crate:
    """A crate as it is generated, before it is written anywhere."""

    files: Mapping[str, str]
    view: View
    vectors: Mapping[str, Any]

    @cached_property
    def name(self) -> str:
        """What a program calls the crate."""
        return f"{self.view.id.replace('-', '_')}_errors"

    def changed(self, path: str, right: str, wrong: str) -> Crate:
        """Return a copy with another text in one place of a file."""
        assert self.files[path].count(right) == 1, right
        files = {**self.files, path: self.files[path].replace(right, wrong)}
        return Crate(files, self.view, self.vectors)


def catalogue(name: str) -> str:
    """Return the text of a catalogue, for Rust too."""
    return for_rust(CATALOGUES[name].read_text(encoding="utf-8"))


def for_rust(text: str) -> str:
    """Return the text of a catalogue with Rust among its languages."""

    def listed(match: re.Match[str]) -> str:
        return match[0] if "rust" in match[1] else f"languages: [{match[1]}, rust]"

    return re.sub(r"^languages: \[(.*)\]$", listed, text, flags=re.MULTILINE)


def crate(text: str, folder: pathlib.Path) -> Crate:
    """Compile catalogue text to a crate; `folder` takes the catalogue."""
    spec = folder / "catalogue.yaml"
    spec.write_text(text, encoding="utf-8")
    entry = Entry(spec, "catalogue.yaml", ("rust", "json"))
    project = Project(Config(pathlib.Path(), pathlib.Path("generated"), (entry,)))
    [loaded] = project.load_all()
    project.sound([loaded])
    files, data = (dict(package.files) for _, package in project.packages([loaded]))
    view = project.renderer.view(loaded.catalogue, "catalogue.yaml", "rust")
    return Crate(files, view, json.loads(data["vectors.json"]))


def workspace(
    folder: pathlib.Path,
    crates: Mapping[str, Crate],
    tests: Mapping[str, Mapping[str, str]] | None = None,
) -> pathlib.Path:
    """Write crates as the members of one workspace; `tests` are test files for them.

    A crate is a package of the name that it has here, so that there may be several of
    one catalogue. The library keeps its own.
    """
    about = {"resolver": "2", "members": list(crates)}
    lines = [f"{key} = {json.dumps(value)}" for key, value in about.items()]
    profile = "[profile.dev]\ndebug = false\nincremental = false"
    text = "\n".join(["[workspace]", *lines, profile, ""])
    (folder / "Cargo.toml").write_text(text, encoding="utf-8")
    for name, each in crates.items():
        own = {f"tests/{n}.rs": t for n, t in (tests or {}).get(name, {}).items()}
        for path, content in {**each.files, **own}.items():
            if path == "Cargo.toml" and name != each.name:
                content = re.sub(r'(?m)^name = ".*"$', f'name = "{name}"', content)
                content = content.replace("[lib]", f'[lib]\nname = "{each.name}"')
            file = folder / name / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(content, encoding="utf-8", newline="\n")
    return folder


def cargo(
    folder: pathlib.Path, *arguments: str, **env: str
) -> subprocess.CompletedProcess[str]:
    """Run cargo without a network, and return its result, whatever that is."""
    found = need("cargo")
    command = arguments[0]
    if command in ("fmt", "clippy") and not _has(command):
        missing(f"cargo has no {command}: rustup component add rustfmt clippy")
    return subprocess.run(
        [found, *arguments],
        cwd=folder,
        env={**os.environ, "CARGO_NET_OFFLINE": "true", "CARGO_TERM_COLOR": "never"}
        | {"CARGO_TARGET_DIR": str(folder / "target"), "RUSTFLAGS": ""}
        | env,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def _has(command: str) -> bool:
    asked = [need("cargo"), command, "--version"]
    return subprocess.run(asked, capture_output=True, check=False).returncode == 0


def string(text: str) -> str:
    """Write a text as a literal of Rust, by JSON's rules, apart from the pack's own."""
    written = json.dumps(text, ensure_ascii=False)
    plain = re.sub(
        r"\\u([0-9a-f]{4})|\\([bf])",
        lambda m: "\\u{%s}" % (m[1] or {"b": "8", "f": "c"}[m[2]]),
        written,
    )
    # rustc takes no mark that turns the direction, and nobody sees a control.
    return re.sub(
        "[\x7f\u2028-\u202e\u2066-\u2069]", lambda m: f"\\u{{{ord(m[0]):x}}}", plain
    )


class Values:
    """Writes values of JSON as expressions of Rust, by their types in the catalogue."""

    def __init__(self, view: View, name: str) -> None:
        self.view = view
        self.name = name

    def of(self, type: Type, given: object, form: str) -> str:
        """Return an expression of a type, which Rust writes as `form`."""
        value: Any = given
        members = cast("dict[str, Any]", given) if isinstance(given, dict) else {}
        form = form.replace("crate::", f"{self.name}::")
        match type.kind:
            case "string" | "timestamp":
                return f"String::from({string(value)})"
            case "integer":
                return f"{value}_i64"
            case "number":
                return f"{float(value)!r}_f64"
            case "http_status":
                return f"{value}_u16"
            case "boolean":
                return json.dumps(value)
            case "duration_ms":
                return f"std::time::Duration::from_millis({value})"
            case "retry_after" if not isinstance(value, str):
                return (
                    f"{form}::from(std::time::Duration::from_secs_f64({value!r}_f64))"
                )
            case "code" | "retry_after":
                return f"{form}::from({string(value)})"
            case "words" if type.open:
                return f"{form}::from({string(value)})"
            case "words":
                return f"{string(value)}.parse::<{form}>().unwrap()"
            case "json":
                return self.json(value)
            case "list":
                item = form.removeprefix("Vec<")[:-1]
                items = (self.of(_item(type), each, item) for each in value)
                return f"<{form}>::from([{', '.join(items)}])"
            case "map":
                item = form.partition(", ")[2][:-1]
                pairs = (
                    f"(String::from({string(key)}), {self.of(_item(type), each, item)})"
                    for key, each in members.items()
                )
                return f"<{form}>::from([{', '.join(pairs)}])"
            case "record":
                [record] = (r for r in self.view.records if r.name == type.name)
                named = {f.wire: f for f in record.fields} | {
                    f.key: f for f in record.fields
                }
                keyed = {named[key].key: each for key, each in members.items()}
                return self.made(form, [(f, f.input) for f in record.fields], keyed)
        raise AssertionError(type.kind)

    def made(
        self,
        path: str,
        fields: Iterable[tuple[FieldView, str]],
        given: Mapping[str, Any],
    ) -> str:
        """Return an expression that makes a struct of fields by their keys."""
        fields = list(fields)
        required = (
            self.of(f.type, given[f.key], form) for f, form in fields if not f.optional
        )
        setters = (
            f".with_{f.key}({self.of(f.type, given[f.key], form)})"
            for f, form in fields
            if f.optional and f.key in given
        )
        return f"{path}::new({', '.join(required)}){''.join(setters)}"

    def json(self, value: Any) -> str:
        """Return an expression of a value of JSON."""
        path = f"{self.name}::Json"
        pairs: dict[str, Any] = value if isinstance(value, dict) else {}
        match value:
            case None:
                return f"{path}::Null"
            case bool():
                return f"{path}::Bool({json.dumps(value)})"
            case int():
                return f"{path}::Integer({value})"
            case float():
                return f"{path}::Number({value!r})"
            case str():
                return f"{path}::from({string(value)})"
            case list():
                items = ", ".join(map(self.json, value))
                return f"<[{path}; {len(value)}]>::from([{items}]).into_iter().collect::<{path}>()"
        told = ", ".join(f"({string(k)}, {self.json(v)})" for k, v in pairs.items())
        return f"<[(&str, {path}); {len(pairs)}]>::from([{told}]).into_iter().collect::<{path}>()"

    def carried(self, code: CodeView) -> list[tuple[FieldView, str]]:
        """Return the fields that errors of a code take, each with its type."""
        name = code.class_names[0] if code.class_names else self.view.base.name
        forms = {f.key: f.input for f in self.view.class_named[name].fields}
        return [
            (field, forms[field.key])
            for field in code.fields
            if field.on_wire and field.key not in code.model.const
        ]

    def error(self, code: CodeView, given: Mapping[str, Any], message: str) -> str:
        """Return an expression of an error that carries fields, by their keys."""
        fields = self.carried(code)
        details = f"{self.name}::ErrorCode::{code.constant}"
        if fields:
            path = f"{self.name}::details::{code.constant}"
            details = self.made(path, fields, given)
        return f"{self.name}::{self.view.base.name}::new({details}, {string(message)})"


def _item(type: Type) -> Type:
    assert type.item is not None
    return type.item


def answer(view: View, verdict: bool | None) -> str:
    """Return a verdict as an expression."""
    if not view.unset:
        return json.dumps(verdict is True)
    return "None" if verdict is None else f"Some({json.dumps(verdict)})"


HEAD = """\
#![allow(deprecated, dead_code)]
use {name}::*;

fn differ<T: PartialEq + std::fmt::Debug>(what: &str, found: T, wanted: T) {{
    if found != wanted {{
        let package = env!("CARGO_PKG_NAME");
        println!("FAULT {{package}} {{what}} is {{found:?}}, not {{wanted:?}}");
    }}
}}

fn check(name: &str, error: &{base}, code: &str, pinned: Option<bool>, http: Option<u16>, wire: &str) {{
    differ(&format!("{{name}}: code"), error.code(), code);
    differ(&format!("{{name}}: http"), error.http_status(), http);
    differ(&format!("{{name}}: wire"), error.to_wire().as_str(), wire);
    let known = error.known().unwrap();
    differ(&format!("{{name}}: spelling"), code.parse(), Ok(known));
    for told in [true, false] {{
        let read = {base}::from_parts(code, "m", Some(told));
        let verdict = pinned.unwrap_or(told).into();
        differ(&format!("{{name}}: told {{told}}"), read.retryable(), verdict);
    }}
}}
"""


def vector_test(crate: Crate) -> str:
    """Return a test file that runs the vectors against the crate.

    A fault is a line that says FAULT. What only other languages raise has no
    fields here: of that code, status and spelling are looked at.
    """
    view, name = crate.view, crate.name
    head = HEAD.format(name=name, base=view.base.name)
    blocks = list(_blocks(crate))
    size = 40  # a function of thousands of statements takes the compiler long
    functions = [
        f"#[test]\nfn vectors_{at}() {{\n" + "\n".join(blocks[at : at + size]) + "\n}\n"
        for at in range(0, len(blocks), size)
    ]
    return head + "\n".join(functions)


def _blocks(crate: Crate) -> Iterator[str]:
    view, document = crate.view, crate.vectors
    values = Values(view, crate.name)
    facts = {fact.key: fact for fact in view.context}
    for vector in document["vectors"]:
        code = view.code[vector["code"]]
        here = vector["languages"]["rust"]
        http = "None" if vector["http"] is None else f"Some({vector['http']})"
        if not code.is_raised:
            key = string(code.key)
            yield (
                f"differ({key}, ErrorCode::lookup({key}).unwrap().http_status(), {http});"
                f"\ndiffer({key}, AnyCode::from({key}).as_str(), {string(here['code'])});"
            )
            continue
        keys = {field.wire: field.key for field in code.fields}
        given = {keys[wire]: value for wire, value in vector["fields"].items()}
        own = vector["retryable"]
        if vector["context"]:  # the error alone does not know the facts
            own = _without(document, vector)
        told = string(vector["name"])
        lines = [f"let error = {values.error(code, given, 'm')};"]
        if own is not ...:
            data = _wire(crate, code, here["wire"], given, own)
            wire = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
            pin = f"Some({json.dumps(code.verdict.default)})" if code.pinned else "None"
            arguments = (told, "&error", string(here["code"]), pin, http, string(wire))
            lines.append(f"check({', '.join(arguments)});")
        if view.context:
            known = "".join(
                f".with_{key}({values.of(facts[key].type, value, facts[key].input)})"
                for key, value in vector["context"].items()
            )
            asked = f"error.retryable_in(&Context::new(){known})"
        else:
            asked = "error.retryable()"
        wanted = answer(view, vector["retryable"])
        lines.append(f"differ({told}, {asked}, {wanted});")
        yield "{\n" + "\n".join(lines) + "\n}"


def _without(document: Mapping[str, Any], vector: Mapping[str, Any]) -> Any:
    """Return the verdict of a vector of the same fields without context; ... if none."""
    same = (
        other["retryable"]
        for other in document["vectors"]
        if not other["context"]
        and (other["code"], other["fields"]) == (vector["code"], vector["fields"])
    )
    return next(same, ...)


def _wire(
    crate: Crate,
    code: CodeView,
    wire: str | int,
    given: Mapping[str, Any],
    verdict: bool | None,
) -> dict[str, Any]:
    """Return what the crate writes, in its order."""
    view = crate.view
    order = [field for field, _ in Values(view, crate.name).carried(code)]
    order += [field for field in code.fields if field.key in code.model.const]
    fields = {
        f.wire: _spelt(view, f.type, given[f.key]) for f in order if f.key in given
    }
    shown = verdict if view.unset else verdict is True
    data = {"code": wire, "message": "m", "retryable": shown}
    under = view.catalogue.fields_under
    if not under:
        return data | fields
    return data | ({under: fields} if fields else {})


def _spelt(view: View, type: Type, value: Any) -> Any:
    """Return a field's value as Rust writes it: codes by their spelling, records by
    their names on the wire."""
    match type.kind:
        case "code":
            known = (c.spelling for c in view.codes if value in c.spellings)
            return next(known, value)
        case "list":
            return [_spelt(view, _item(type), each) for each in value]
        case "map":
            return {key: _spelt(view, _item(type), each) for key, each in value.items()}
        case "record":
            [record] = (r for r in view.records if r.name == type.name)
            return {
                f.wire: _spelt(view, f.type, value[key])
                for f in record.fields
                for key in (f.key, f.wire)
                if key in value
            }
    return value


def run_tests(folder: pathlib.Path) -> dict[str, list[str]]:
    """Run the test files of a workspace, and return the faults that each package has."""
    done = cargo(folder, "test", "--test", "*", "--quiet", "--", "--nocapture")
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-6000:]
    found: dict[str, list[str]] = {}
    for line in done.stdout.splitlines():
        if (told := line.partition("FAULT "))[1]:
            package, _, fault = told[2].partition(" ")
            found.setdefault(package, []).append(fault)
    return found
