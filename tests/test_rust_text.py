"""Any text of a catalogue arrives in the generated crate as it is, and as text."""

from __future__ import annotations

import json
import pathlib
import re
import shutil
from typing import Any

import yaml

import hostile
from rust import Crate, cargo, crate, run_tests, workspace

CRATES = 5
"""In each of them every place has another of the texts: all 40 in all places would take
the compiler minutes."""

READ = """
#![allow(deprecated)]
use {crate_name}::*;

fn text(value: Option<&str>) -> Json {{
    value.map_or(Json::Null, Json::from)
}}

#[test]
fn tell() {{
    let mut told = Vec::new();
    for code in ErrorCode::ALL {{
        let info = code.info();
        let passing = info.deprecated.or(info.retired);
        told.push(Json::from_iter([
            ("wire", match info.wire {{ Wire::Text(text) => Json::from(text), _ => Json::Null }}),
            ("meaning", info.meaning.into()),
            ("hint", info.hint.into()),
            ("aliases", info.aliases.iter().copied().collect()),
            ("raised_by", info.raised_by.iter().copied().collect()),
            ("fixed", info.fixed.iter().map(|(name, value)| (*name, value.clone())).collect()),
            ("attributes", info.attributes.iter().map(|(name, value)| (*name, value.clone())).collect()),
            ("since", text(info.since)),
            ("passing", text(passing.map(|passing| passing.reason))),
            ("absent", info.absent.iter().map(|(_, reason)| *reason).collect()),
        ]));
        for text in info.spellings.iter().chain(info.aliases) {{
            assert_eq!(ErrorCode::lookup(text), Some(*code));
        }}
    }}
    let word = {word}.parse::<FullErrorWord>().unwrap();
    let item = Item::new({item}.parse::<ItemWord>().unwrap(), ItemMore::from({more}));
    let error = HostileError::from(details::Full::new(word, {when}).with_item(item));
    assert_eq!(error.retryable(), true);
    let many = HostileError::from(details::Two::new());
    let told = Json::from_iter([
        ("codes", Json::from_iter(told)),
        ("message", error.message().into()),
        ("many", many.message().into()),
        ("word", word.as_str().into()),
        ("wire", error.to_wire().into()),
    ]);
    println!("FAULT {{}} {{told}}", env!("CARGO_PKG_NAME"));
}}
"""


def texts(number: int) -> tuple[dict[str, str], hostile.Say]:
    """Return a `say` that has another hostile text at each place, and what it gave."""
    given: dict[str, str] = {}
    says = {text: hostile.spoken(text) for text in hostile.HOSTILE.values()}
    every = list(says.values())

    def say(name: str) -> str:
        place = len(given) if name not in given else list(given).index(name)
        own, spoken = every[(place * 3 + number * 8) % len(every)]
        found = spoken(name)
        given[name] = own[name]
        return found

    return given, say


def test_a_text_arrives_as_it_is(tmp_path: pathlib.Path) -> None:
    """Meanings, reasons, words, wire names, messages, constants come back equal; rustdoc
    and clippy find neither a link nor markup nor an example in any of them."""
    crates: dict[str, Crate] = {}
    tests: dict[str, dict[str, str]] = {}
    given: dict[str, dict[str, str]] = {}
    for number in range(CRATES):
        name = f"hostile{number}_errors"
        given[name], say = texts(number)
        data = hostile.catalogue(say) | {"id": f"hostile{number}"}
        data["languages"] = ["python", "typescript", "rust"]
        dumper = hostile._Dumper
        text = yaml.dump(data, Dumper=dumper, sort_keys=False, width=10**9)
        crates[name] = crate(text, tmp_path)
        asked = {"word": "type.1", "item": "type.3", "more": "type.5", "when": "when.1"}
        values = {key: literal(given[name][at]) for key, at in asked.items()}
        tests[name] = {"tell": READ.format(crate_name=name, **values)}
    folder = workspace(tmp_path, crates, tests)
    told = run_tests(folder)
    for name in crates:
        [line] = told[name]
        check(json.loads(line), given[name])
        shutil.rmtree(
            folder / name / "tests"
        )  # only what is generated goes to the tools
    for command, env in (
        (("fmt", "--all", "--check"), {}),
        (("clippy", "--quiet", "--lib", "--", "--deny", "warnings"), {}),
        (("doc", "--no-deps", "--quiet"), {"RUSTDOCFLAGS": "--deny warnings"}),
    ):
        done = cargo(folder, *command, **env)
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"[:6000]
    for name in crates:
        documentation_is_text(folder / "target" / "doc" / name)


def literal(text: str) -> str:
    """Write a text as a literal of Rust, each character by its number."""
    return '"' + "".join(f"\\u{{{ord(character):x}}}" for character in text) + '"'


def check(told: dict[str, Any], given: dict[str, str]) -> None:
    """Compare what a crate says with the texts that its catalogue has."""
    by_code: dict[str, dict[str, Any]] = {
        "FULL": {
            "wire": given["wire.3"],
            "meaning": given["meaning.10"],
            "hint": given["hint.5"],
            "aliases": [given["aliases.1"], given["aliases.2"]],
            "raised_by": [given["raised_by.2"], given["raised_by.3"]],
            "attributes": {
                "note": given["attributes.1"],
                "notes": [given["attributes.2"], given["attributes.3"]],
            },
            "since": given["since.3"],
            "passing": given["reason.2"],
        },
        "FIXED": {"meaning": given["meaning.12"], "fixed": {"path": given["const.1"]}},
        "AWAY": {"meaning": given["meaning.13"], "absent": [given["reason.4"]]},
        "ONE": {"meaning": given["meaning.14"]},
        "TWO": {"meaning": given["meaning.15"]},
        "PICK_A": {"meaning": given["meaning.16"], "fixed": {"why": given["type.6"]}},
        "PICK_B": {"meaning": given["meaning.17"], "fixed": {"why": given["type.7"]}},
        "GONE": {"passing": given["reason.5"]},
    }
    for found, wanted in zip(told["codes"], by_code.values(), strict=True):
        assert {key: found[key] for key in wanted} == wanted
    message = f"{given['message.2']}{given['type.1']} {given['when.1']}"
    assert (told["message"], told["many"]) == (message, given["message.3"])
    assert told["word"] == given["type.1"]
    assert json.loads(told["wire"]) == {
        "code": given["wire.3"],
        "message": message,
        "retryable": True,
        "details": {
            given["wire.1"]: given["type.1"],
            "path": given["when.1"],
            "item": {given["wire.2"]: given["type.3"], "more": given["type.5"]},
        },
    }


def documentation_is_text(folder: pathlib.Path) -> None:
    """Check that what rustdoc made of texts is paragraphs and code, and nothing else."""
    own = re.compile('<a href="https://doc.rust-lang.org/[^>]*>')  # of Rust's own texts
    pages = [own.sub("", path.read_text("utf-8")) for path in folder.rglob("*.html")]
    blocks = [
        block
        for page in pages
        for block in re.findall(r'<div class="docblock[^"]*">(.*?)</div>', page, re.S)
        + re.findall(r'class="stab deprecated">(.*?)</(?:div|span)>', page, re.S)
    ]
    assert len(blocks) > 50
    tags = {tag for block in blocks for tag in re.findall(r"<([a-z0-9]+)", block)}
    assert tags <= {"p", "code", "span"}, tags
