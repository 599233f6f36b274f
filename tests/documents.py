"""The README and the pages of docs/ in tests: what their fences hold."""

from __future__ import annotations

from markdown_it import MarkdownIt
from markdown_it.token import Token

from support import ROOT

CATALOGUE = "# yaml-language-server"
"""How the catalogue of the README begins."""


def tokens(page: str) -> list[Token]:
    """Return what a page of this repository consists of, as GitHub reads it."""
    return MarkdownIt("gfm-like").parse((ROOT / page).read_text(encoding="utf-8"))


def fences(page: str) -> list[Token]:
    """Return the fenced blocks of a page."""
    return [t for t in tokens(page) if t.type == "fence"]


def block(page: str, language: str, start: str = "") -> str:
    """Return the first fenced block of a language that starts so."""
    return next(
        t.content
        for t in fences(page)
        if t.info == language and t.content.startswith(start)
    )


def shop() -> str:
    """Return the catalogue that the README shows."""
    return block("README.md", "yaml", CATALOGUE)
