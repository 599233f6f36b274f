"""The table of what a retry layer does, which the runners of every language read."""

from __future__ import annotations

from typing import Any

import yaml

from support import CASES

SCENARIOS: list[dict[str, Any]] = yaml.safe_load(
    (CASES / "retry" / "scenarios.yaml").read_text("utf-8")
)

RULES = (*(f"R{n}" for n in range(1, 16)), "P5")
"""The rules of the contract that the table has to prove."""


def without_a_row() -> list[str]:
    """Return the rules that no row proves."""
    proved = {rule for row in SCENARIOS for rule in row["rules"]}
    return [rule for rule in RULES if rule not in proved]
