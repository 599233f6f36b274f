"""The generated crates as Rust's own tools see them: rustfmt, clippy, rustdoc, cargo."""

from __future__ import annotations

import json
import pathlib
from typing import Any

import pytest

import test_hostile_names
from bench.catalogue import catalogue as large
from rust import cargo, catalogue, crate, for_rust, workspace
from support import CATALOGUES, errspec
from test_typescript_tools import named

HEAD = """
errspec: 1
id: {id}
title: Little
version: 0.1.0
languages: [rust]
base_class: LittleError
"""
LITTLE = {
    "nothing": "codes: {}\n",
    "one": "codes: {A: {retryable: true, meaning: A.}}\n",
    "unset": "codes: {A: {retryable: unset, meaning: A.}}\n",
    "empty_group": "groups: {g: {title: G}}\n"
    "codes: {A: {retryable: false, meaning: A., message: No.}}\n",
    "open_words": "codes: {A: {retryable: true, meaning: A., "
    "fields: {w: {type: [other, Other, '?', '1', <, '>', a-b, a_b, self], open: true}}}}\n",
    "records": "types:\n"
    "  Tree: {fields: {left: {type: Tree, optional: true}, of: {type: {list: Tree}}}}\n"
    "  Root: {fields: {tree: {type: Tree}, word: {type: ['1', 2nd, Word1, all, ALL]}}}\n"
    "codes: {A: {retryable: true, meaning: A., fields: {root: {type: Root}}}}\n",
    "many_fields": "codes: {A: {retryable: true, meaning: A., fields: {"
    + ", ".join(f"f{n}: {{type: integer}}" for n in range(9))
    + "}}}\n",
    "judged_elsewhere": "context: {safe: {type: [yes, no]}}\n"
    "codes:\n"
    "  B: {retryable: true, meaning: B.}\n"
    "  A:\n    meaning: A.\n    fields: {s: {type: http_status}}\n"
    "    retryable: {rules: [{when: {s: 5xx}, then: true}, {when: {safe: no}, then: true}], else: false}\n"
    "    languages: {rust: {absent: true, reason: not here}}\n"
    "foreign_errors: {rules: [{when: {status: 5xx}, then: true}], else: false}\n",
    "big_numbers": "codes:\n  A:\n    meaning: A.\n"
    "    fields: {num: {type: integer}, m: {type: number}}\n"
    "    const: {m: 900719925474099}\n"
    "    retryable: {rules: [{when: {num: [1, 900719925474099]}, then: true}], else: false}\n",
}
"""Catalogues that lack something, or have it in an odd place."""


def names() -> str:
    """Return a catalogue of names that mean something in Rust."""
    data: dict[str, Any] = test_hostile_names.catalogue() | {"languages": ["rust"]}
    data["acronyms"] = ["ALL", "CODES", "WORDS"]
    words = "async type dyn Box Option String Vec Into ALL Bare Some Err Error WORDS"
    for number, key in enumerate(words.split()):
        field = {"type": ["self", "Self", "ALL", "WORDS"]}
        about = {"class": f"N{number}Error", "meaning": "A.", "group": "self"}
        data["codes"][key] = {
            **about,
            "retryable": True,
            "fields": {"mut": field, "self": {"type": "Held"}},
        }
    return json.dumps(data)


def test_all_tools_of_rust_are_content(tmp_path: pathlib.Path) -> None:
    """rustfmt leaves the files alone, and neither the compiler, nor clippy, nor rustdoc
    has a warning: for real catalogues, for names of any length and any keyword, for
    catalogues that lack what others have."""
    texts = {name: catalogue(name) for name in CATALOGUES} | {"names": names()}
    texts |= {f"long{n}": named(n, "rust") for n in (1, 70)}
    texts |= {name: HEAD.format(id=name) + text for name, text in LITTLE.items()}
    crates = {name: crate(text, tmp_path) for name, text in texts.items()}
    crates = {each.name: each for each in crates.values()}
    assert len(crates) == len(texts)
    folder = workspace(tmp_path, crates)
    read = (
        "criogen",
        "sink",
        "nothing",
        "names",
    )  # what texts may do has tests of its own
    few = [f"--package={name}_errors" for name in read]
    for command, env in (
        (("fmt", "--all", "--check"), {}),
        (("clippy", "--quiet", "--", "--deny", "warnings"), {}),
        (("doc", "--no-deps", "--quiet", *few), {"RUSTDOCFLAGS": "--deny warnings"}),
    ):
        done = cargo(folder, *command, **env)
        told = (done.stdout + done.stderr)[-6000:]
        assert done.returncode == 0 and not told, f"{command}\n{told}"


def test_a_thousand_codes_compile(tmp_path: pathlib.Path) -> None:
    """Without a warning. How fast, `make bench` tells."""
    each = crate(for_rust(large(1000)), tmp_path)
    folder = workspace(tmp_path, {each.name: each})
    done = cargo(folder, "check", "--quiet", RUSTFLAGS="--deny warnings")
    assert (done.returncode, done.stderr) == (0, "")


COLLISIONS = {
    "TError hides nothing": ("A", "", None),
    "Vec": ("A", "types: {Vec: {fields: {x: {type: string}}}}", "Rust's own Vec"),
    "Json": ("A", "types: {Json: {fields: {x: {type: string}}}}", "the package itself"),
    "OneErrorKind": (
        "A",
        "types: {OneErrorKind: {fields: {x: {type: string}}}}",
        "would both be OneErrorKind",
    ),
    "A_B A.B": (
        "A_B: {class: AError, group: one, meaning: A., retryable: true}\n  A.B",
        "",
        "would both be AB",
    ),
}


@pytest.mark.parametrize("case", COLLISIONS)
def test_a_name_that_would_hide_another_is_an_error(
    case: str, tmp_path: pathlib.Path
) -> None:
    """What Rust has built in, what the crate defines, and what it derives of groups and
    codes."""
    code, types, fault = COLLISIONS[case]
    rows = f"codes:\n  {code}: {{group: one, meaning: A., retryable: true}}\n"
    text = (
        HEAD.format(id="little") + "groups: {one: {title: G}}\n" + f"{types}\n" + rows
    )
    (tmp_path / "little.yaml").write_text(text, encoding="utf-8")
    found = errspec("validate", "little.yaml", cwd=tmp_path)
    if fault is None:
        assert found.returncode == 0, found.stderr
    else:
        assert found.returncode == 1
        assert fault in found.stderr


@pytest.mark.parametrize("option", ["package: self", "package: std", "version: 1.0"])
def test_an_option_that_cargo_refuses_is_an_error(
    option: str, tmp_path: pathlib.Path
) -> None:
    """Names of Rust's own crates, keywords, and versions that are none."""
    text = HEAD.format(id="little") + LITTLE["one"]
    (tmp_path / "little.yaml").write_text(text, encoding="utf-8")
    entry = f"{{spec: little.yaml, targets: [rust], options: {{rust: {{{option}}}}}}}"
    config = f"errspec: 1\ncatalogues: [{entry}]\n"
    (tmp_path / "errspec.yaml").write_text(config, encoding="utf-8")
    found = errspec("generate", cwd=tmp_path)
    assert found.returncode == 1
    assert option.partition(":")[0] in found.stderr
