"""The environment in which a pack's templates run: its filters, tags and sandbox."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator, Sequence
from typing import Any

import jinja2
import msgspec.json
from msgspec import Struct

from . import words
from .builtin import Builtin, Compiled, Put
from .diagnostics import PackError, listed
from .escapes import NEVER_RAW, display_width, fit
from .naming import cased
from .packs import Library, Pack
from .problems import problem
from .resolved import resolved
from .vectors import vectors


def allow(environment: jinja2.Environment, codes: int) -> None:
    """Give a pack of the user's its steps, before it is rendered for so many codes."""
    from .sandbox import Sandbox

    assert isinstance(environment, Sandbox)
    environment.meter.allow(codes)


def environment_of(pack: Pack, library: Library) -> jinja2.Environment:
    """Make the environment of a pack's templates, with the filters it may use."""
    options: dict[str, Any] = {
        "trim_blocks": True,
        "lstrip_blocks": True,
        "keep_trailing_newline": True,
        "autoescape": False,  # the filters escape for each language; HTML's way would spoil it
        "extensions": ["jinja2.ext.do", Put],
    }
    if not pack.trusted:
        from .sandbox import Sandbox  # few runs need it

        environment = Sandbox(pack.folder, **options)
        _furnish(environment, pack, library)
        environment.close()
        return environment
    trusted = Builtin(
        loader=jinja2.FileSystemLoader(pack.folder),
        bytecode_cache=Compiled(pack.folder / "__pycache__"),
        undefined=jinja2.StrictUndefined,
        **options,
    )
    _furnish(trusted, pack, library)
    return trusted


def _furnish(environment: jinja2.Environment, pack: Pack, library: Library) -> None:
    """Put in the filters and functions that a pack's templates may use."""
    width = pack.line_width

    def line(one: str) -> str:
        if display_width(one) <= width:
            return one
        indent = one[: len(one) - len(one.lstrip(" "))]
        # Not str.format: what stands in a pack may ask for a width of a billion.
        return pack.skip_mark.replace("{indent}", indent).replace("{line}", one)

    environment.globals["fit"] = lambda one, many: fit(one, many, width)
    environment.globals["line"] = line
    environment.globals |= {
        "differences": words.differences,
        "raised_lines": words.raised_lines,
        "class_names": words.class_names,
        "other_names": words.other_names,
        "field_names": words.field_names,
        "local_lines": words.local_lines,
        "type_words": words.type_words,
    }
    environment.filters |= {
        "json": to_json,
        "case": cased,
        "entries": entries,
        "problem": problem,
        "class_docs": words.class_docs,
        "csp_hash": csp_hash,
        "kind_words": words.kind_words,
        "naming_words": words.naming_words,
        "passing_words": words.passing_words,
        "short_verdict": words.short_verdict,
        "value_words": words.value_words,
        "verdict_lines": words.verdict_lines,
        "verdict_steps": words.verdict_steps,
        "resolved": resolved,
        "vectors": vectors,
    }
    if pack.language:
        language = library.language(pack.language)
        needed = ("strings", "comments", "literals", "types")
        if lacking := [key for key in needed if key not in language.data]:
            raise PackError(
                f"languages/{pack.language}.yaml lacks {listed(lacking, 'and')}, "
                f"which the pack {pack.name} needs"
            )
        comments = language.comments

        def doc(text: str | Sequence[str], indent: int = 0) -> str:
            return comments.doc(text, " " * indent, width)

        def comment(text: str | Sequence[str], indent: int = 0) -> str:
            return comments.line(text, " " * indent, width)

        environment.filters |= {
            "string": language.strings.literal,
            "literal": language.literal,
            "doc": doc,
            "comment": comment,
        }
    else:  # Jinja has a `string` of its own, which quotes nothing
        environment.filters["string"] = _no_language
    if pack.markup:
        for name, place in library.markup(pack.markup).items():
            environment.filters[name] = place.written
            environment.filters[f"{name}_code"] = place.code


def _no_language(value: object) -> str:
    raise jinja2.TemplateRuntimeError(
        "'string' writes a literal of a language, and pack.yaml names none"
    )


def csp_hash(text: str) -> str:
    """Return by what a page's Content-Security-Policy knows a script or a style."""
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def to_json(value: Any, lines: int = 0) -> str:
    """Write a value as JSON, with every character escaped that must not stand raw.

    The outer `lines` levels have an entry a line: an entry that changes is then one
    line of a diff.
    """
    return "".join(_json(value, lines, "\n"))


def _json(value: Any, lines: int, newline: str) -> Iterator[str]:
    if not lines or not value or not isinstance(value, dict | list):
        written = msgspec.json.encode(value).decode()
        if not written.isascii() or "\x7f" in written:
            written = NEVER_RAW.sub(lambda match: json.dumps(match[0])[1:-1], written)
        yield written
        return
    yield "{" if isinstance(value, dict) else "["
    deeper = newline + "  "
    for number, entry in enumerate(value):
        yield f",{deeper}" if number else deeper
        if isinstance(value, dict):
            yield f"{to_json(entry)}: "
            yield from _json(value[entry], lines - 1, deeper)
        else:
            yield from _json(entry, lines - 1, deeper)
    yield newline + ("}" if isinstance(value, dict) else "]")


def entries(holder: Struct) -> dict[str, Any]:
    """Return a struct's members as a mapping, without those that are empty."""
    values = ((name, getattr(holder, name)) for name in holder.__struct_fields__)
    return {name: value for name, value in values if value not in (None, "", ())}
