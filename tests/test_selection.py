"""Picking codes out of a catalogue, for lists and for tables in other pages."""

from __future__ import annotations

import pytest

from errspec.diagnostics import UsageError
from errspec.selection import Selection
from support import view_of

SPEC = """
errspec: 1
id: shop
title: Shop errors
version: 1.0.0
languages: [python, typescript]
base_class: ShopError
groups:
  orders: {title: Orders}
  payment: {title: Payment}
codes:
  GONE: {group: orders, meaning: It is gone, retryable: false, raised_by: [Stock keeper]}
  BUSY: {group: [orders, payment], meaning: It is busy, retryable: true}
  CARD:
    group: payment
    meaning: No card
    retryable: unset
    languages:
      python: {absent: true, reason: there are no cards}
      typescript: {raised_by: [the till]}
  BANK:
    group: payment
    meaning: The bank said no
    fields: {status: {type: http_status, optional: true}}
    retryable: {rules: [{when: {status: 5xx}, then: true}], else: false}
    languages:
      python: {raised_by: [bank.py]}
      typescript: {raised_by: [bank.ts]}
  OLD: {meaning: Not any more, retired: {since: 0.9.0, reason: nobody needs it}}
"""
ALL = ["GONE", "BUSY", "CARD", "BANK", "OLD"]


@pytest.mark.parametrize(
    ("selection", "keys"),
    [
        (Selection(), ALL),
        (Selection(groups=("orders",)), ["GONE", "BUSY"]),
        (Selection(groups=("orders", "payment")), ["GONE", "BUSY", "CARD", "BANK"]),
        (Selection(verdicts=("depends", "unset")), ["CARD", "BANK", "OLD"]),
        (Selection(verdicts=("no",)), ["GONE"]),
        (Selection(verdicts=("false", "true")), ["GONE", "BUSY"]),
        (Selection(languages=("python",)), ["GONE", "BUSY", "BANK"]),
        (Selection(raised_by=("STOCK",)), ["GONE"]),
        (Selection(raised_by=("bank", "till")), ["CARD", "BANK"]),
        (Selection(raised_by=("bank.ts",), languages=("python",)), []),
        (Selection(groups=("payment",), verdicts=("yes",)), ["BUSY"]),
    ],
)
def test_a_code_is_picked_where_every_criterion_has_a_value_of_it(
    selection: Selection, keys: list[str]
) -> None:
    """Values of one criterion are alternatives, and all criteria must hold."""
    view = view_of(SPEC)
    selection.check([view])
    assert [code.key for code in selection.codes(view)] == keys


@pytest.mark.parametrize(
    ("selection", "message"),
    [
        (Selection(groups=("order",)), "'order': did you mean orders?"),
        (
            Selection(verdicts=("maybe",)),
            "'maybe': there is depends, false, no, true, unset and yes",
        ),
        (Selection(languages=("pyton",)), "'pyton': did you mean python?"),
    ],
)
def test_what_no_code_can_have_is_an_error(selection: Selection, message: str) -> None:
    """A misspelt value gives no empty list, but says which value is meant."""
    with pytest.raises(UsageError) as caught:
        selection.check([view_of(SPEC)])
    assert message in str(caught.value)
