"""Compiles templates so that the meter sees what Jinja has no hook for."""

from __future__ import annotations

import math
from typing import Any

import jinja2.compiler
import jinja2.nodes
import jinja2.visitor

from .meter import PER_STEP

COMPARE, CONCAT, FIND, LOOP, MADE, PAY, WEIGH = (
    f"errspec {name}"
    for name in ("compare", "concat", "find", "loop", "made", "pay", "weigh")
)
"""Filters that the compiler puts in; a template cannot spell a name with a space."""


class _Marker(jinja2.visitor.NodeTransformer):
    """Puts a filter of the meter around loops, joins, comparisons, lists and slices."""

    def visit_For(self, node: jinja2.nodes.For) -> Any:
        self.generic_visit(node)
        price = _price(node)
        node.iter = _marked(LOOP, node.iter, price)
        if node.recursive:  # what a loop calls itself with is not in the template
            node.body.insert(0, _paid(price, node.lineno))
        return node

    def visit_Macro(self, node: Any) -> Any:
        self.generic_visit(node)
        node.body.insert(0, _paid(_price(node), node.lineno))
        return node

    visit_Block = visit_CallBlock = visit_Macro

    def visit_Concat(self, node: jinja2.nodes.Concat) -> Any:
        self.generic_visit(node)
        return _marked(CONCAT, jinja2.nodes.List(node.nodes, lineno=node.lineno))

    def visit_Compare(self, node: jinja2.nodes.Compare) -> Any:
        self.generic_visit(node)
        node.expr = _marked(COMPARE, node.expr)
        for operand in node.ops:
            within = operand.op in ("in", "notin")
            operand.expr = _marked(FIND if within else COMPARE, operand.expr)
        return node

    def visit_List(self, node: Any) -> Any:
        self.generic_visit(node)
        return _marked(MADE, node)

    visit_Dict = visit_List

    def visit_Tuple(self, node: jinja2.nodes.Tuple) -> Any:
        self.generic_visit(node)
        return _marked(WEIGH, node) if node.ctx == "load" else node

    def visit_Getitem(self, node: jinja2.nodes.Getitem) -> Any:
        self.generic_visit(node)
        sliced = isinstance(node.arg, jinja2.nodes.Slice)
        return _marked(WEIGH, node) if sliced else node


def _price(node: jinja2.nodes.Node) -> int:
    """Return what one time through a node's body costs: its text and its parts."""
    fixed = sum(len(n.data) for n in node.find_all(jinja2.nodes.TemplateData))
    return (
        1 + fixed // PER_STEP + sum(1 for _ in node.find_all(jinja2.nodes.Node)) // 50
    )


def _paid(price: int, line: int) -> jinja2.nodes.ExprStmt:
    steps = jinja2.nodes.Const(price, lineno=line)
    return jinja2.nodes.ExprStmt(_marked(PAY, steps), lineno=line)


def _marked(name: str, node: Any, *args: Any) -> jinja2.nodes.Filter:
    given = [jinja2.nodes.Const(arg, lineno=node.lineno) for arg in args]
    return jinja2.nodes.Filter(node, name, given, [], None, None, lineno=node.lineno)


class Compiler(jinja2.compiler.CodeGenerator):
    """Jinja's compiler, over a tree that was marked."""

    def visit_Template(
        self, node: jinja2.nodes.Template, frame: jinja2.compiler.Frame | None = None
    ) -> None:
        _Marker().visit(node)
        super().visit_Template(node, frame)

    def visit_Assign(
        self, node: jinja2.nodes.Assign, frame: jinja2.compiler.Frame
    ) -> None:
        self.newline(node)  # else what is assigned to has no line
        super().visit_Assign(node, frame)

    def visit_Const(
        self, node: jinja2.nodes.Const, frame: jinja2.compiler.Frame
    ) -> None:
        if isinstance(node.value, float) and not math.isfinite(node.value):
            self.fail("this number is too large", node.lineno)
        super().visit_Const(node, frame)
