"""What the documentation of a generated class tells, in every language."""

from __future__ import annotations

import pathlib

import pytest

from support import compile_files

CATALOGUE = """
errspec: 1
id: shop
title: Shop errors
version: 0.1.0
languages: [python, typescript]
base_class: ShopError
codes:
  NEW: {meaning: It is new., retryable: false}
  OLD:
    meaning: It is old.
    hint: Look for the new one.
    retryable: true
    deprecated: {since: 0.2.0, use: NEW, reason: It did not say why.}
"""


@pytest.mark.parametrize(
    ("pack", "file"), [("python", "errors.py"), ("typescript", "index.d.ts")]
)
@pytest.mark.parametrize(
    "told",
    [
        "It is old.",
        "Look for the new one.",
        "Deprecated since 0.2.0; use `NEW`. It did not say why.",
        "Retry: yes.",
        "It is new.",
        "Retry: no.",
    ],
)
def test_who_uses_a_class_reads(
    pack: str, file: str, told: str, tmp_path: pathlib.Path
) -> None:
    """What it means, what to do, that it is deprecated, and whether to retry."""
    spec = tmp_path / "shop.yaml"
    spec.write_text(CATALOGUE, encoding="utf-8")
    [package] = compile_files(spec, pack)
    [text] = [t for path, t in package.files.items() if path.endswith(file)]
    assert text.count(told) == 1
