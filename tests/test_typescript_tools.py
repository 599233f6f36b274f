"""The generated TypeScript as its consumers' tools see it: npm, tsc, bundlers, linters."""

from __future__ import annotations

import gzip
import itertools
import json
import pathlib
import re
import shutil

import pytest

from javascript import catalogue, generate, run_node
from support import CASES, CATALOGUES, need, run

HERE = CASES / "typescript"
LENGTHS = (CASES / "catalogues" / "lengths.yaml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("ci", "outcome"),
    [("true", pytest.fail.Exception), ("", pytest.skip.Exception)],
)
def test_a_missing_tool_fails_in_CI_and_is_told_elsewhere(
    ci: str, outcome: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No test passes because the tool that it needs is not there."""
    monkeypatch.setenv("CI", ci)
    with pytest.raises(outcome, match="NOT TESTED: no-such-tool is not installed"):
        need("no-such-tool")


def named(length: int, languages: str = "typescript", **own: int) -> str:
    """Return a catalogue whose names have this length, but for some with their own."""

    def name(match: re.Match[str]) -> str:
        return match[1] * own.get(match[1], length)

    text = LENGTHS.replace("id: <l>", f"id: {'l' * min(length, 64)}")
    text = re.sub(r"<(\w)>", name, text)
    return text.replace("languages: [python]", f"languages: [{languages}]")


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A folder with the package of each catalogue, long and short names included."""
    folder = tmp_path_factory.mktemp("packages")
    for name in CATALOGUES:
        generate(catalogue(name), folder, name)
    generate(named(1), folder, "short")
    generate(named(70), folder, "long")
    shutil.rmtree(folder / "written")
    return folder


@pytest.fixture(scope="module")
def project(
    packages: pathlib.Path, tmp_path_factory: pytest.TempPathFactory
) -> pathlib.Path:
    """A consumer's project, into which npm installed the packages from their folders."""
    folder = tmp_path_factory.mktemp("project")
    about = {"name": "consumer", "private": True, "type": "module"}
    (folder / "package.json").write_text(json.dumps(about), encoding="utf-8")
    flags = ("--no-audit", "--no-fund", "--offline", "--install-links")
    found = run(
        need("npm"),
        "install",
        *flags,
        *(packages / n for n in ("agent", "sink", "family", "oma")),
        cwd=folder,
    )
    assert found.returncode == 0, found.stdout + found.stderr
    for path in [*HERE.glob("consumer/*"), *HERE.glob("bundle/*")]:
        shutil.copy2(path, folder / path.name)
    return folder


COMPILERS = {"current": "typescript/bin/tsc", "5.0": "typescript-5.0/bin/tsc"}
RESOLUTIONS = {"nodenext": "nodenext", "bundler": "es2022"}
FLAGS = (
    "strict",
    "exactOptionalPropertyTypes",
    "verbatimModuleSyntax",
    "isolatedModules",
    "noUncheckedIndexedAccess",
    "noPropertyAccessFromIndexSignature",
)


@pytest.mark.parametrize("resolution", RESOLUTIONS)
@pytest.mark.parametrize("compiler", COMPILERS)
def test_a_consumer_compiles(
    compiler: str, resolution: str, project: pathlib.Path, node_tools: pathlib.Path
) -> None:
    """Codes narrow, right use is accepted, and each misuse is an error of the compiler;
    the declarations themselves are checked too."""
    options = {
        "target": "es2022",
        "module": RESOLUTIONS[resolution],
        "moduleResolution": resolution,
        "noEmit": True,
        "skipLibCheck": False,
        "types": [],
        **dict.fromkeys(FLAGS, True),
    }
    config = project / f"tsconfig.{compiler}.{resolution}.json"
    data = {"compilerOptions": options, "include": ["*.ts"]}
    config.write_text(json.dumps(data), encoding="utf-8")
    told = run_node(node_tools / COMPILERS[compiler], "-p", config)
    assert told == ""


@pytest.mark.parametrize("compiler", COMPILERS)
def test_the_declarations_need_no_later_library(
    compiler: str, packages: pathlib.Path, node_tools: pathlib.Path
) -> None:
    """They compile alone, for ES2020 and with names of any length."""
    files = sorted(packages.glob("*/*.d.ts"))
    names = {"classify.d.ts", "index.d.ts", "problem.d.ts", "retry.d.ts"}
    assert {file.name for file in files} == names
    flags = itertools.chain.from_iterable(
        (f"--{flag}", value)
        for flag, value in {
            "target": "es2020",
            "lib": "es2020",
            "module": "nodenext",
            "moduleResolution": "nodenext",
        }.items()
    )
    told = run_node(
        node_tools / COMPILERS[compiler],
        *flags,
        "--strict",
        "--exactOptionalPropertyTypes",
        "--noEmit",
        *files,
    )
    assert told == ""


def test_what_is_imported_is_what_is_declared(packages: pathlib.Path) -> None:
    """Each module exports every value that its declarations name, and no other."""
    for path in sorted(packages.glob("*/*.d.ts")):
        declared = re.findall(
            r"^export declare (?:abstract )?(?:class|const|function) (\w+)",
            path.read_text(encoding="utf-8"),
            re.MULTILINE,
        )
        module = str(path).replace(".d.ts", ".js")
        script = f"import * as p from {module!r};"
        script += "console.log(JSON.stringify(Object.keys(p)))"
        told = run_node("--input-type=module", "-e", script)
        assert sorted(json.loads(told)) == sorted(set(declared))


def test_prettier_leaves_the_files_alone(
    packages: pathlib.Path, node_tools: pathlib.Path
) -> None:
    """With its default options, for names of 1 and of 70 characters too."""
    files = [
        *packages.glob("*/*.js"),
        *packages.glob("*/*.ts"),
        *packages.glob("*/package.json"),
    ]
    assert len(files) == 59
    told = run_node(node_tools / "prettier/bin/prettier.cjs", "--check", *files)
    assert "All matched files use Prettier code style!" in told


@pytest.mark.parametrize("name", CATALOGUES)
def test_linters_of_packages_find_nothing(
    name: str, packages: pathlib.Path, node_tools: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    """publint, and are-the-types-wrong on what npm would publish.

    That `require` does not load an ES module is no finding: the package says so.
    """
    folder = packages / name
    told = run_node(node_tools / "publint/src/cli.js", folder, "--strict")
    assert "All good!" in told
    packed = run(
        need("npm"), "pack", "--json", "--pack-destination", tmp_path, cwd=folder
    )
    assert packed.returncode == 0, packed.stderr
    [tarball] = tmp_path.glob("*.tgz")
    allowed = "cjs-resolves-to-esm"
    told = run_node(
        node_tools / "@arethetypeswrong/cli/dist/index.js",
        tarball,
        "--ignore-rules",
        allowed,
    )
    assert "No problems found" in told


def bundle(project: pathlib.Path, tools: pathlib.Path, name: str) -> pathlib.Path:
    """Bundle a program with esbuild, minified, and return the file."""
    out = project / "out" / f"{name}.mjs"
    # Its install script may put a program in place of the one that node runs.
    found = run(
        tools / ".bin/esbuild",
        project / f"{name}.mjs",
        "--bundle",
        "--minify",
        "--format=esm",
        f"--outfile={out}",
        "--log-level=warning",
    )
    assert found.returncode == 0, found.stderr
    assert found.stderr == ""
    return out


def test_E6_a_minified_bundle_says_the_same(
    project: pathlib.Path, node_tools: pathlib.Path
) -> None:
    """Names, codes, verdicts and guards do not depend on the names of classes."""
    plain = run_node(project / "guards.mjs")
    assert run_node(bundle(project, node_tools, "guards")) == plain
    assert json.loads(plain)[1] == [
        "PolicyDeniedError",
        "POLICY_DENY",
        "PolicyDeniedError: m",
        True,
        True,
        False,
        False,
    ]


def test_a_bundle_holds_only_the_classes_that_are_used(
    project: pathlib.Path, node_tools: pathlib.Path
) -> None:
    """Of the other classes, and of the table of codes, nothing is left."""
    out = bundle(project, node_tools, "one")
    text = out.read_text(encoding="utf-8")
    told = json.loads(run_node(out))
    assert told == {"code": "MODEL_ERROR", "retryable": True, "status": 503}
    assert "MODEL_ERROR" in text and "AgentError" in text
    for name in (
        "POLICY_DENY",
        "PolicyDeniedError",
        "HandoffSignal",
        "The run used up",
    ):
        assert name not in text
    whole = (project / "node_modules/agent-errors/index.js").read_bytes()
    runtime = (project / "node_modules/agent-errors/runtime.js").read_bytes()
    assert (
        len(gzip.compress(out.read_bytes())) < len(gzip.compress(whole + runtime)) / 2
    )


def test_a_bundle_of_the_retry_layer_needs_nothing_of_node(
    project: pathlib.Path, node_tools: pathlib.Path
) -> None:
    """Made for browsers it imports nothing, says the same, and holds no class and no
    table of the catalogue."""
    plain = run_node(project / "retry.mjs")
    out = bundle(project, node_tools, "retry")
    assert run_node(out) == plain
    assert json.loads(plain) == ["done", 3, "Failed after 2 calls: TypeError: m", 500]
    text = out.read_text(encoding="utf-8")
    assert not re.search(r"\bimport\b|\brequire\(|\bprocess\b|\bBuffer\b", text)
    assert "MODEL_ERROR" not in text and "PolicyDeniedError" not in text


def test_a_bundle_of_problems_needs_nothing_of_node(
    project: pathlib.Path, node_tools: pathlib.Path
) -> None:
    """Made for browsers it imports nothing, and says the same."""
    plain = run_node(project / "problem.mjs")
    out = bundle(project, node_tools, "problem")
    assert run_node(out) == plain
    name, is_code, wait, message, refused, status, why = json.loads(plain)
    assert (name, is_code, wait) == ("BudgetError", True, 3)
    assert message == "Agent a used 7 of {budget} tokens"
    assert (refused, status) == ("ResponseError", 200)
    assert "content type" in why
    text = out.read_text(encoding="utf-8")
    assert not re.search(r"\bimport\b|\brequire\(|\bprocess\b|\bBuffer\b", text)


def test_a_bundle_drops_problems_that_nobody_uses(
    project: pathlib.Path, node_tools: pathlib.Path
) -> None:
    """Imported and not used, nothing of the module is left."""
    out = bundle(project, node_tools, "unused")
    assert json.loads(run_node(out)) == "budget"
    text = out.read_text(encoding="utf-8")
    for name in ("ResponseError", "problem", "Bad Gateway", "Retry-After", "GMT"):
        assert name not in text.replace('"Retry-After",type:"retry_after"', "")


@pytest.mark.parametrize("compiler", COMPILERS)
def test_a_Response_of_node_is_an_answer(
    compiler: str, project: pathlib.Path, node_tools: pathlib.Path
) -> None:
    """The types of node alone, without those of browsers, are enough."""
    flags = ("--strict", "--noEmit", "--target", "es2022", "--module", "nodenext")
    types = ("--lib", "es2022", "--types", "node", "--typeRoots", node_tools / "@types")
    tsc = node_tools / COMPILERS[compiler]
    assert run_node(tsc, *flags, *types, project / "problem.ts") == ""
