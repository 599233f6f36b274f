"""The environment of the built-in packs: compiled without detours, and kept compiled."""

from __future__ import annotations

import contextlib
import hashlib
import os
import pathlib
import sys
from types import FunctionType
from typing import Any

import jinja2
import jinja2.bccache
import jinja2.compiler
import jinja2.ext
import jinja2.parser
from jinja2 import nodes
from jinja2.compiler import Frame

_SUM = hashlib.sha256().digest_size


class Put(jinja2.ext.Extension):
    """The tag `{% put macro() %}`: what a macro that ends its own lines wrote.

    As a tag it takes the line break behind it away, which `{{ macro() }}` leaves.
    """

    tags = {"put"}  # noqa: RUF012 (Jinja's own declaration)

    def parse(self, parser: jinja2.parser.Parser) -> nodes.Node:
        line = next(parser.stream).lineno
        return nodes.Output([parser.parse_expression()], lineno=line)


class Direct(jinja2.compiler.CodeGenerator):
    """Compiles attributes, calls and macros to Python's own, without Jinja's detours.

    For the built-in packs only: the detours are where a sandbox looks, where the keys
    of a mapping are found as attributes, and where a macro gets arguments by keyword.
    They take half of a render's time.
    """

    @jinja2.compiler.optimizeconst
    def visit_Getattr(self, node: nodes.Getattr, frame: Frame) -> None:
        self.visit(node.node, frame)
        self.write(f".{node.attr}")

    @jinja2.compiler.optimizeconst
    def visit_Getitem(self, node: nodes.Getitem, frame: Frame) -> None:
        self.visit(node.node, frame)
        self.write("[")
        self.visit(node.arg, frame)
        self.write("]")

    @jinja2.compiler.optimizeconst
    def visit_Call(
        self, node: nodes.Call, frame: Frame, forward_caller: bool = False
    ) -> None:
        self.visit(node.node, frame)
        self.write("(")
        for argument in (*node.args, *node.kwargs):
            self.visit(argument, frame)
            self.write(", ")
        self.write(")")

    @jinja2.compiler.optimizeconst
    def visit_Concat(self, node: nodes.Concat, frame: Frame) -> None:
        self.write(f"({'%s' * len(node.nodes)!r} % ")
        self.visit(nodes.Tuple(node.nodes, "load"), frame)
        self.write(")")

    def macro_def(self, macro_ref: jinja2.compiler.MacroRef, frame: Frame) -> None:
        count = len(macro_ref.node.args)
        self.write(f"environment.macro(macro, (missing,) * {count})")


class Builtin(jinja2.Environment):
    """The environment of the built-in packs."""

    code_generator_class = Direct

    @staticmethod
    def macro(function: FunctionType, defaults: tuple[Any, ...]) -> FunctionType:
        """Return the function of a macro, which takes a default as no argument."""
        function.__defaults__ = defaults
        return function


class Compiled(jinja2.BytecodeCache):
    """Keeps compiled templates beside their sources, as Python does with modules.

    Only for the built-in packs: who can write bytecode there could write our modules
    too. Where the folder cannot be written, templates are compiled in each run.
    """

    def __init__(self, folder: pathlib.Path) -> None:
        self._folder = folder

    def get_source_checksum(self, source: str) -> str:
        """Tell by template, Jinja and this module whether a compiled form is stale."""
        ours = pathlib.Path(__file__).stat()
        compiler = f"{jinja2.__version__} {ours.st_mtime_ns} {ours.st_size} "
        return super().get_source_checksum(compiler + source)

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
