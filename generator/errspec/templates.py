"""The environment in which a pack's templates run: its filters, tags and sandbox."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import pathlib
import sys
from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

import jinja2
import jinja2.bccache
import jinja2.ext
import jinja2.nodes
import jinja2.parser

from . import words
from .diagnostics import PackError, listed
from .escapes import NEVER_RAW, fit
from .naming import cased
from .packs import Library, Pack
from .resolved import resolved
from .vectors import vectors

_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False)

_SUM = hashlib.sha256().digest_size


class Put(jinja2.ext.Extension):
    """The tag `{% put macro() %}`: what a macro that ends its own lines wrote.

    As a tag it takes the line break behind it away, which `{{ macro() }}` leaves.
    """

    tags = {"put"}  # noqa: RUF012 (Jinja's own declaration)

    def parse(self, parser: jinja2.parser.Parser) -> jinja2.nodes.Node:
        line = next(parser.stream).lineno
        return jinja2.nodes.Output([parser.parse_expression()], lineno=line)


class Compiled(jinja2.BytecodeCache):
    """Keeps compiled templates beside their sources, as Python does with modules.

    Only for the built-in packs: who can write bytecode there could write our modules
    too. Where the folder cannot be written, templates are compiled in each run.
    """

    def __init__(self, folder: pathlib.Path) -> None:
        self._folder = folder

    def load_bytecode(self, bucket: jinja2.bccache.Bucket) -> None:
        with contextlib.suppress(OSError):
            data = self._path(bucket).read_bytes()
            if data[:_SUM] == hashlib.sha256(data[_SUM:]).digest():  # else a torn one
                bucket.bytecode_from_string(data[_SUM:])

    def dump_bytecode(self, bucket: jinja2.bccache.Bucket) -> None:
        path = self._path(bucket)
        data = bucket.bytecode_to_string()
        ours = path.with_suffix(f".{os.getpid()}")
        with contextlib.suppress(OSError):
            path.parent.mkdir(exist_ok=True)
            try:
                ours.write_bytes(hashlib.sha256(data).digest() + data)
                ours.replace(path)
            finally:
                ours.unlink(missing_ok=True)

    def _path(self, bucket: jinja2.bccache.Bucket) -> pathlib.Path:
        return self._folder / f"{bucket.key}.{sys.implementation.cache_tag}.j2c"


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
    trusted = jinja2.Environment(
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
        indent = one[: len(one) - len(one.lstrip(" "))]
        # Not str.format: what stands in a pack may ask for a width of a billion.
        marked = pack.skip_mark.replace("{indent}", indent).replace("{line}", one)
        return fit(one, marked, width)

    environment.globals["fit"] = lambda one, many: fit(one, many, width)
    environment.globals["line"] = line
    environment.globals |= {
        "differences": words.differences,
        "raised_lines": words.raised_lines,
        "class_names": words.class_names,
    }
    environment.filters |= {
        "json": to_json,
        "case": cased,
        "entries": entries,
        "class_docs": words.class_docs,
        "passing_words": words.passing_words,
        "value_words": words.value_words,
        "verdict_lines": words.verdict_lines,
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
    if pack.markup:
        for name, place in library.markup(pack.markup).items():
            environment.filters[name] = place.text
            environment.filters[f"{name}_code"] = place.code


def to_json(value: Any, lines: int = 0) -> str:
    """Write a value as JSON, with every character escaped that must not stand raw.

    The outer `lines` levels have an entry a line: an entry that changes is then one
    line of a diff.
    """
    return "".join(_json(value, lines, "\n"))


def _json(value: Any, lines: int, newline: str) -> Iterator[str]:
    if not lines or not value or not isinstance(value, dict | list):
        written = _ENCODER.encode(value)
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


def entries(holder: Any) -> dict[str, Any]:
    """Return a dataclass's members as a mapping, without those that are empty."""
    assert is_dataclass(holder)
    values = ((f.name, getattr(holder, f.name)) for f in fields(holder))
    return {name: value for name, value in values if value not in (None, "", ())}
