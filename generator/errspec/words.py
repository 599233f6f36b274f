"""Verdicts in plain words, for docs, doc comments and the terminal."""

from __future__ import annotations

import json
from typing import Any

from .diagnostics import listed
from .model import Answer, Type
from .schema import text
from .view import (
    ClassView,
    CodeView,
    FieldView,
    RuleView,
    TestView,
    VerdictView,
    View,
)


def answer_word(answer: Answer) -> str:
    """Return yes, no or unset."""
    return {True: "yes", False: "no", None: "unset"}[answer]


def short_verdict(verdict: VerdictView) -> str:
    """Return a verdict as a table cell has it: yes, no, unset or depends."""
    return "depends" if verdict.conditional else answer_word(verdict.default)


def verdict_lines(verdict: VerdictView) -> list[str]:
    """Say a verdict in words: one line a rule, then what holds otherwise."""
    if verdict.follows:
        name = f"`{verdict.follows.key}`"
        last = answer_word(verdict.default)
        return [
            f"as the code in {name} says",
            f"{last} where {name} names no known code",
        ]
    if not verdict.rules:
        return [answer_word(verdict.default)]
    rules = [rule_words(rule) for rule in verdict.rules]
    return [*rules, f"otherwise {answer_word(verdict.default)}"]


_PLAIN = {
    True: "another attempt can succeed",
    False: "another attempt fails in the same way",
    None: "nothing is promised",
}


def verdict_steps(verdict: VerdictView) -> list[tuple[str, str]]:
    """Say a verdict step by step: an answer, and when it holds."""
    if verdict.follows:
        name = f"`{verdict.follows.key}`"
        answer = answer_word(verdict.default)
        return [
            ("depends", f"as the code in {name} says"),
            (answer, f"where {name} names no known code"),
        ]
    if not verdict.rules:
        return [(answer_word(verdict.default), _PLAIN[verdict.default])]
    steps = [(answer_word(r.then), f"if {_rule_tests(r)}") for r in verdict.rules]
    return [*steps, (answer_word(verdict.default), "otherwise")]


def rule_words(rule: RuleView) -> str:
    """Say one rule: "no if `reason` is `empty_truncation`: raise maxTokens"."""
    return f"{answer_word(rule.then)} if {_rule_tests(rule)}"


def _rule_tests(rule: RuleView) -> str:
    tests = listed((_test_words(t) for t in rule.when), "and")
    return f"{tests}: {rule.hint}" if rule.hint else tests


def _test_words(test: TestView) -> str:
    name = f"`{test.key}`"
    shown = [w for w in test.shown if not (test.present and w == "any")]
    if test.present:
        return f"{name} is given"
    if test.flags and len(shown) == 1:
        return f"{name} is {text(test.flags[0])}"
    verb = "has" if test.many else "is"
    values = (w if test.ranges else f"`{w}`" for w in shown)
    return f"{name} {verb} {listed(values)}"


_KINDS = {
    "string": "text",
    "integer": "whole number",
    "boolean": "true or false",
    "json": "any JSON",
    "http_status": "HTTP status",
    "duration_ms": "milliseconds",
    "timestamp": "time",
    "error": "the native cause",
    "retry_after": "seconds, or a `Retry-After` as text",
}


def kind_words(kind: str) -> str:
    """Say what a field of a plain kind holds."""
    return _KINDS.get(kind, kind)


def type_words(type: Type, view: View) -> str:
    """Say what a field may hold."""
    if type.kind == "words":
        named = [f"`{word}`" for word in type.words]
        return listed([*named, "another word"] if type.open else named)
    if type.item is not None:
        return f"{type.kind} {'of' if type.kind == 'list' else 'to'} {type_words(type.item, view)}"
    if type.kind == "code":
        return f"a code of {view.catalogue.groups[type.name].title}"
    return f"`{type.name}`" if type.name else kind_words(type.kind)


def class_docs(found: ClassView) -> list[str]:
    """Say what a class stands for, paragraph by paragraph, for its doc comment."""
    paragraphs = [found.meaning or f"Errors of the kind {found.name}.", found.hint]
    if found.shape == "one":
        paragraphs.append(passing_words(found.codes[0]))
    if found.verdict and found.shape in ("one", "none"):
        paragraphs.append(f"Retry: {'; '.join(verdict_lines(found.verdict))}.")
    return [p for p in paragraphs if p]


def raised_lines(view: View, code: CodeView) -> list[str]:
    """Say who raises a code: one line for all languages, or one for each."""
    raising = {
        local.language.title: local.code[code.key].raised_by
        for local in view.languages.values()
        if local.code[code.key].is_raised and local.code[code.key].raised_by
    }
    if len(set(raising.values())) == 1 and not code.absent:
        return [", ".join(next(iter(raising.values())))]
    return [f"{title}: {', '.join(names)}" for title, names in raising.items()]


def differences(view: View, code: CodeView) -> list[tuple[str, str, str]]:
    """Return where languages differ on a code: language, difference, reason."""
    found = []
    for name, local in code.model.languages.items():
        title = view.languages[name].language.title
        if local.absent:
            found.append((title, "never raised, only read", local.reason))
        elif local.code:
            found.append((title, f"spelt `{local.code}`", local.reason))
    return found


def difference_lines(view: View, code: CodeView) -> list[str]:
    """Say in a line each where languages differ on a code."""
    return [
        f"{title}: {difference} ({reason})"
        for title, difference, reason in differences(view, code)
    ]


def class_names(view: View, code: CodeView) -> list[str]:
    """Return the names of a code's classes; languages mostly agree on them."""
    found = (n for v in view.languages.values() for n in v.code[code.key].class_names)
    return list(dict.fromkeys(found))


def other_names(view: View, code: CodeView) -> list[str]:
    """Return all that a code goes by in a log or a program, apart from its key."""
    found = [*code.spellings, *map(str, code.wires), *code.model.aliases]
    names = dict.fromkeys([*found, *class_names(view, code)])
    return [name for name in names if name != code.key]


def naming_words(view: View) -> str:
    """Say where a field has another name than in the catalogue, by the first that has."""
    fields = {f.key: f for c in view.classes for f in c.fields if f.on_wire}
    for field in fields.values():
        if others := field_names(view, field):
            spelt = listed(others, "and")
            return f"A field may be spelt otherwise: `{field.key}` is {spelt}."
    return ""


def field_names(
    view: View, field: FieldView, code: CodeView | None = None
) -> list[str]:
    """Say under which names, and where, a field goes apart from the catalogue's own.

    With a code only in the languages that raise it.
    """
    names: dict[str, list[str]] = {}
    for local in view.languages.values():
        if code is None or local.code[code.key].is_raised:
            name = local.name(field.key, "field")
            names.setdefault(name, []).append(f"in {local.language.title}")
    if field.on_wire:
        names.setdefault(field.wire, []).append("on the wire")
    names.pop(field.key, None)
    return [f"`{name}` {listed(where, 'and')}" for name, where in names.items()]


def local_lines(view: View, code: CodeView, what: str) -> list[str]:
    """Return what languages say otherwise of a code's `meaning` or `hint`."""
    said = {name: getattr(local, what) for name, local in code.model.languages.items()}
    titles = {name: view.languages[name].language.title for name in said}
    return [f"In {titles[name]}: {text}" for name, text in said.items() if text]


def value_words(value: Any) -> str:
    """Say an attribute's value."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ", ".join(value_words(v) for v in value)
    return (
        json.dumps(value, ensure_ascii=False) if isinstance(value, dict) else str(value)
    )


def passing_words(code: CodeView) -> str:
    """Say that a code is deprecated or retired, since when, and what to use."""
    for word, entry in (
        ("Retired", code.model.retired),
        ("Deprecated", code.model.deprecated),
    ):
        if entry is not None:
            use = f"; use `{entry.use}`" if entry.use else ""
            return f"{word} since {entry.since}{use}. {entry.reason}".rstrip()
    return ""
