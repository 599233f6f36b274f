"""The generated retry layer of TypeScript: the scenarios that all languages share, and
what only node and its tools can tell."""

from __future__ import annotations

import json
import pathlib
import re
from typing import Any

import pytest
import yaml
from markdown_it import MarkdownIt

from javascript import generate, run_node
from support import CASES, ROOT

RULES = [f"R{number}" for number in range(1, 16)] + ["P5"]
ROWS: list[dict[str, Any]] = yaml.safe_load(
    (CASES / "retry" / "scenarios.yaml").read_text(encoding="utf-8")
)
REFUSED = {"R6": "RangeError", "R7": "RangeError", "R10": "RangeError"}
"""What is thrown for an option with a wrong value; for one of a wrong type TypeError."""


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A folder with two packages, and a second copy of each."""
    folder = tmp_path_factory.mktemp("packages")
    for name, spec in {
        "retries": CASES / "catalogues" / "retry.yaml",
        "agent": ROOT / "spec" / "agent.yaml",
    }.items():
        for copy in ("", "-copy"):
            generate(spec.read_text(encoding="utf-8"), folder, name + copy)
    return folder


@pytest.fixture(scope="module")
def happened(packages: pathlib.Path) -> dict[str, list[dict[str, Any]]]:
    """What happened to each row of the table, in each way to go through a layer."""
    copies = {"own": packages / "retries", "copy": packages / "retries-copy"}
    asked = {"rows": ROWS, **{name: str(path) for name, path in copies.items()}}
    told = run_node(ROOT / "tests" / "retry_runner.mjs", input=asked)
    found: dict[str, list[dict[str, Any]]] = json.loads(told)
    return found


def test_each_rule_has_a_row_and_each_row_a_name() -> None:
    """No rule of the retry layers goes untested, and no row hides another."""
    assert {rule for row in ROWS for rule in row["rules"]} == set(RULES)
    assert len({row["name"] for row in ROWS}) == len(ROWS)


@pytest.mark.parametrize(
    "row", ROWS, ids=lambda row: f"{row['rules'][0]} {row['name']}"
)
def test_a_scenario(
    row: dict[str, Any], happened: dict[str, list[dict[str, Any]]]
) -> None:
    """What the table says happens: the calls, the waits, who is told and asked, and the
    result, or the error itself with nothing about it changed."""
    assert len(happened[row["name"]]) == (3 if "abort" in row else 6)
    for found in happened[row["name"]]:
        check(row, found)


def check(row: dict[str, Any], found: dict[str, Any]) -> None:
    then = row["then"]
    if "refused" in then:
        assert found["refused"] == REFUSED.get(row["rules"][0], "TypeError")
        return
    assert found["calls"] == then["calls"]
    assert found["listeners"] == 0
    waits = then.get("waits", [])
    assert found["waits"] == waits
    told = [[number, wait, True] for number, wait in enumerate(waits, 1)]
    assert found["told"] == told[: then.get("told", len(told))]
    if "asked" in then:
        assert found["asked"] == then["asked"]
    if "raises" in then:
        assert found["raises"] == ("last" if then["raises"] == "last" else "special")
        assert "gives" not in found
        return
    assert "raises" not in found
    times = "1 call" if then["calls"] == 1 else f"{then['calls']} calls"
    text = f"Failed after {times}: PlainError: m"
    answers = {
        "text": text,
        "tool-message": {"role": "tool", "status": "error", "content": text},
        "model-message": {
            "role": "assistant",
            "finish_reason": "error",
            "content": text,
        },
    }
    gives = then["gives"]
    wanted = answers.get(gives, gives) if isinstance(gives, str) else gives
    assert found["gives"] == wanted


@pytest.mark.parametrize(
    "path", sorted((CASES / "typescript/retry").glob("*.mjs")), ids=lambda p: p.stem
)
def test_the_rules_hold_under_node(
    path: pathlib.Path, packages: pathlib.Path, node_tools: pathlib.Path
) -> None:
    """Each file holds tests of node's own runner: aborts with real timers, delays by
    properties, and what layers are made of."""
    env = {"PACKAGES": str(packages), "NODE_TOOLS": str(node_tools)}
    told = run_node("--test", "--test-reporter=tap", path, **env)
    assert "\n# fail 0\n" in told


WATCHDOG = "setTimeout(() => process.exit(3), 20_000).unref();"
"""Ends a program that a timer left over keeps alive."""


@pytest.mark.parametrize(
    ("script", "said"),
    [
        (
            """
            const controller = new AbortController();
            const waiting = withRetry(fail, { ...LONG, signal: controller.signal })();
            setImmediate(() => controller.abort());
            await waiting.catch((error) => console.log(error.name));
            """,
            "AbortError",
        ),
        (
            """
            const layer = toolRetryMiddleware({ initialDelayMs: 20, jitter: false });
            let calls = 0;
            console.log(await layer(7, (n) => (++calls < 3 ? fail() : n)), calls);
            """,
            "7 3",
        ),
        (
            """
            import { setTimeout as wait } from "node:timers/promises";
            const sleep = (ms, signal) => wait(ms, undefined, { signal, ref: false });
            withRetry(fail, { ...LONG, sleep })();
            console.log("over");
            """,
            "over",
        ),
    ],
    ids=["after an abort", "while it is awaited", "with a sleep that asks for it"],
)
def test_R13_a_program_ends_in_time(
    script: str, said: str, packages: pathlib.Path
) -> None:
    """Not before a retry that it awaits; at once after an abort, and where the host's
    own sleep lets it."""
    head = f"""
    import {{ toolRetryMiddleware, withRetry }} from {str(packages / "retries/retry.js")!r};
    import {{ TransientError }} from {str(packages / "retries/index.js")!r};
    const LONG = {{ initialDelayMs: 600_000, maxDelayMs: 600_000 }};
    const fail = () => {{
      throw new TransientError("m");
    }};
    {WATCHDOG}
    """
    assert run_node("--input-type=module", "-e", head + script) == f"{said}\n"


def test_a_catalogue_without_retry_has_no_layer(tmp_path: pathlib.Path) -> None:
    """Neither the files nor the entry of the package's exports."""
    text = (CASES / "catalogues" / "retry.yaml").read_text(encoding="utf-8")
    folder = generate(text.partition("\nretry:")[0] + "\n", tmp_path, "plain")
    names = ["index.d.ts", "index.js", "package.json", "runtime.js"]
    assert sorted(path.name for path in folder.iterdir()) == names
    assert "retry." not in (folder / "package.json").read_text(encoding="utf-8")


PAGE = (ROOT / "docs" / "retry.md").read_text(encoding="utf-8")
BLOCKS = [
    token.content
    for token in MarkdownIt("gfm-like").parse(PAGE)
    if token.type == "fence" and token.info == "ts"
]
DRIVERS = [
    "",
    """
    import { TransientError } from "retries-errors";
    async function fetchPrices(): Promise<number> {
      throw new TransientError("m");
    }
    void refresh();
    console.log("over"); // over
    """,
    """
    import { TerminalError, TransientError } from "retries-errors";
    const told = [new Timeout(), new TransientError("m"), new TerminalError("m"), new Error()];
    for (const error of told) {
      let calls = 0;
      const call = async () => {
        calls += 1;
        throw error;
      };
      const found: unknown = await ask(call).catch((thrown: unknown) => thrown);
      console.log(calls, found === error);
    }
    // 3 true
    // 3 true
    // 1 true
    // 1 true
    """,
]
"""What makes each block of the page do something; a comment says what is printed."""


@pytest.mark.parametrize("number", range(len(DRIVERS)))
def test_the_page_on_retry_compiles_and_runs(
    number: int,
    packages: pathlib.Path,
    node_tools: pathlib.Path,
    tmp_path: pathlib.Path,
) -> None:
    """The compiler accepts each block of TypeScript, and it does what it says; the types
    of node alone, without those of browsers, are enough."""
    assert len(BLOCKS) == len(DRIVERS)
    modules = tmp_path / "node_modules"
    modules.mkdir()
    (modules / "agent-errors").symlink_to(packages / "agent")
    (modules / "retries-errors").symlink_to(packages / "retries")
    (modules / "p-retry").symlink_to(node_tools / "p-retry")
    script = BLOCKS[number] + DRIVERS[number]
    (tmp_path / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    (tmp_path / "use.ts").write_text(script, encoding="utf-8")
    flags = ("--strict", "--target", "es2022", "--module", "nodenext")
    types = ("--lib", "es2022", "--types", "node", "--typeRoots", node_tools / "@types")
    tsc = node_tools / "typescript/bin/tsc"
    assert run_node(tsc, *flags, *types, tmp_path / "use.ts") == ""
    said = re.findall(r"// (.*)$", script, re.MULTILINE)
    assert run_node(tmp_path / "use.js").splitlines() == said


def test_a_catalogue_may_continue_by_default(
    tmp_path: pathlib.Path, node_tools: pathlib.Path
) -> None:
    """Then the types say so too: errors are thrown where that is asked for."""
    text = (CASES / "catalogues" / "retry.yaml").read_text(encoding="utf-8")
    text = text.replace("on_failure: error", "on_failure: continue")
    generate(text, tmp_path, "retries")
    script = """
    import { modelRetryMiddleware, withRetry } from "./retries/retry.js";
    import type { ModelMessage } from "./retries/retry.js";
    const fail = (): number => {
      throw new Error("m");
    };
    const text: number | string = await withRetry(fail)();
    const layer = modelRetryMiddleware({ maxRetries: 1 });
    const message: number | ModelMessage = await layer(1, fail);
    const thrown: Promise<number> = withRetry(fail, { onFailure: "error" })();
    // @ts-expect-error: a failed call gives text
    const wrong: Promise<number> = withRetry(() => 7, {})();
    await Promise.all([wrong, thrown.catch(() => 7)]);
    if (typeof message === "object") console.log(text, message.role);
    """
    (tmp_path / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    (tmp_path / "use.ts").write_text(script, encoding="utf-8")
    flags = ("--strict", "--target", "es2022", "--module", "nodenext")
    tsc = node_tools / "typescript/bin/tsc"
    assert run_node(tsc, *flags, tmp_path / "use.ts") == ""
    said = "Failed after 1 call: Error: m assistant\n"
    assert run_node(tmp_path / "use.js") == said
