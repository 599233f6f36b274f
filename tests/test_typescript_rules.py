"""The generated TypeScript under node, rule by rule of the contract."""

from __future__ import annotations

import pathlib

import pytest

from javascript import catalogue, generate, run_node
from support import CASES, CATALOGUES

LATER = """\
  LATER_CODE:
    group: model
    meaning: A code that only the next version has.
    retryable:
      rules:
        - {when: {idempotent: true}, then: true}
        - {when: {idempotent: false}, then: unset}
      else: false
"""


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A folder with each package, a copy of one, and its next version."""
    folder = tmp_path_factory.mktemp("packages")
    for name in CATALOGUES:
        generate(catalogue(name), folder, name)
    generate(catalogue("agent"), folder, "agent-copy")
    later = catalogue("agent").replace("version: 0.1.0", "version: 0.2.0")
    later = later.replace(
        "\ncodes:\n", f"\ncontext: {{idempotent: {{type: boolean}}}}\ncodes:\n{LATER}"
    )
    generate(later, folder, "agent-next")
    return folder


@pytest.mark.parametrize(
    "path", sorted((CASES / "typescript/rules").glob("*.mjs")), ids=lambda p: p.stem
)
def test_the_rules_hold_under_node(path: pathlib.Path, packages: pathlib.Path) -> None:
    """Each file holds tests of node's own runner, named by the rule that they prove."""
    told = run_node("--test", "--test-reporter=tap", path, PACKAGES=str(packages))
    assert "\n# fail 0\n" in told


def test_V7_a_frozen_global_object_does_no_harm(packages: pathlib.Path) -> None:
    """Stamps and verdicts work where nothing can be put on globalThis."""
    script = f"""
    import {{ getRetryable, stampRetryable }} from {str(packages / "agent/index.js")!r};
    const print = console.log;
    Object.freeze(globalThis);
    const error = stampRetryable(Object.freeze(new Error("m")), true);
    print(getRetryable(error), getRetryable(new Error("m")));
    """
    told = run_node("--input-type=module", "-e", script)
    assert told == "true undefined\n"
