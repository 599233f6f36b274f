"""Writes tables, entries and lists into pages that people wrote, between two markers.

`scan` finds the regions of a page, `request` reads what each asks for, and `pages` has a
pack write it. What then happens to the page on disk is `output`'s affair.
"""

from __future__ import annotations

from .pages import Injected, inject

__all__ = ["Injected", "inject"]
