"""docs/retry.md is true: its Python runs, and its recipe decides as a layer does."""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any

import pytest
from markdown_it import MarkdownIt

from scenarios import SCENARIOS
from support import ROOT
from test_python_retry import Run, copies, name_of

__all__ = ["copies"]  # a fixture

TOKENS = MarkdownIt("gfm-like").parse((ROOT / "docs/retry.md").read_text("utf-8"))
BLOCKS = [t.content for t in TOKENS if t.type == "fence" and t.info == "python"]


def executed(block: str, package: ModuleType) -> dict[str, Any]:
    """Run a block of the docs and return its names."""
    importlib.import_module(f"{package.__name__}.retry")
    names: dict[str, Any] = {}
    exec(compile(block, "retry.md", "exec", dont_inherit=True), names)
    return names


def test_the_layer_of_the_docs(agent: ModuleType) -> None:
    """A layer decorates an async function, and handles a request."""
    names = executed(BLOCKS[0], agent)
    assert names["answer"] == "handled the request"
    assert names["search"].__name__ == "search"


def test_the_message_of_the_docs(agent: ModuleType) -> None:
    """The last line gives what its comment says."""
    names = executed(BLOCKS[1], agent)
    call, _, said = BLOCKS[1].strip().rpartition("\n")[2].partition("#")
    assert repr(eval(call, names)) == said.strip()


def test_the_recipe_of_the_docs(agent: ModuleType) -> None:
    """A terminal error is raised at once, a transient one after the calls it says."""
    names = executed(BLOCKS[2], agent)
    with pytest.raises(agent.ModelError, match="401"):
        names["ask"]()
    assert names["ask"].statistics["attempt_number"] == 1


# Layers under `continue` answer where tenacity raises; tenacity knows no facts of the
# caller but through a function of one's own, and calls no on_retry.
ROWS = [
    row
    for row in SCENARIOS
    if "calls" in row
    and "abort" not in row
    and not {"on_failure", "jitter", "context"} & {*row.get("options", {})}
]


@pytest.mark.parametrize("row", ROWS, ids=name_of)
def test_tenacity_decides_as_a_layer_does(
    row: dict[str, Any], copies: list[ModuleType]
) -> None:
    """With the recipe, tenacity calls, waits and raises as the row says."""
    import tenacity

    run = Run(row, copies)
    options = run.options()
    layers = copies[0].retry
    given = {
        k: options[k] for k in row.get("options", {}) if k.endswith(("ms", "factor"))
    }

    def delay(state: tenacity.RetryCallState) -> float | None:
        assert state.outcome is not None
        seconds: float | None = layers.next_delay(
            state.attempt_number - 1,
            state.outcome.exception(),
            jitter=False,
            clock=options["clock"],
            **given,
        )
        return seconds

    def enough(state: tenacity.RetryCallState) -> bool:
        return (
            state.attempt_number > options.get("max_retries", 2) or delay(state) is None
        )

    @tenacity.retry(  # type: ignore[untyped-decorator]
        retry=tenacity.retry_if_exception(
            lambda error: layers.should_retry(error, options.get("retry_on"))
        ),
        wait=lambda state: delay(state) or 0,
        stop=enough,
        sleep=options["sleep"],
        reraise=True,
    )
    def call() -> object:
        return run.call()

    outcome, raised = None, None
    try:
        outcome = call()
    except BaseException as error:
        raised = error
    then = row["then"]
    assert run.calls == then["calls"]
    assert [wait * 1000 for wait in run.waits] == pytest.approx(then["waits"])
    if then.get("raises") == "last":
        assert raised is run.thrown[-1]
    elif "gives" in then:
        assert outcome == then["gives"]
