"""The table of rules: what each is for, how severe it is, and the function that looks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal

from msgspec import Struct

from ..diagnostics import Diagnostic, Severity
from . import alike, codes, http, idle, judging, lives, names, texts
from .subject import Subject


class Rule(Struct, frozen=True):
    """A rule. `pages/<id>.yaml` says why it is there, with a bad and a good example."""

    id: str
    purpose: str
    severity: Severity | Literal["off"]
    check: Callable[[Subject], Iterator[Diagnostic]]
    dated: bool = False
    """Whether it looks only where somebody said what day it is."""


USELESS_IGNORE = Rule(
    "useless-ignore",
    "An ignore names a rule that finds something there.",
    "warning",
    idle.ignores_are_needed,
)
"""The one that looks at what the others found; before that it finds nothing."""

RULES = (
    # Codes as a set
    Rule(
        "no-codes",
        "A catalogue has at least one code.",
        "warning",
        codes.some_codes,
    ),
    Rule(
        "no-group",
        "Where a catalogue has groups, each of its codes is in one.",
        "warning",
        codes.codes_have_groups,
    ),
    Rule(
        "missing-const",
        "Of the codes of a class all fix a field, or more than one does not.",
        "warning",
        codes.codes_of_a_class_fix_the_same,
    ),
    # Names
    Rule(
        "name-collision",
        "No two classes, records, constants or fields have one name in a language.",
        "error",
        names.names_differ,
    ),
    Rule(
        "shadowed-builtin",
        "No class has the name of something that a language has built in.",
        "error",
        names.builtins_stay_visible,
    ),
    Rule(
        "well-known-name",
        "No class has the name of one that many programs of a language import.",
        "warning",
        names.famous_names_stay_free,
    ),
    Rule(
        "look-alike",
        "No two codes, aliases, wire values or words of a field look the same.",
        "error",
        alike.texts_look_different,
    ),
    Rule(
        "almost-alike",
        "No two codes, aliases or wire values differ in case alone, or in O and 0.",
        "warning",
        alike.codes_differ_enough,
    ),
    Rule(
        "unwritten-language",
        "No language is a short or wrong spelling of one that a pack writes.",
        "warning",
        names.languages_are_spelt_out,
    ),
    # Texts
    Rule(
        "bidi-text",
        "No text holds characters that change the direction of what is shown.",
        "warning",
        texts.text_reads_as_written,
    ),
    Rule(
        "control-text",
        "No text holds control characters other than line ends and tabs.",
        "warning",
        texts.text_holds_no_control,
    ),
    Rule(
        "todo-text",
        "No meaning, hint, reason or title is still to be written.",
        "warning",
        texts.texts_are_written,
    ),
    Rule(
        "meaning-full-stop",
        "A meaning is a sentence and ends like one.",
        "warning",
        texts.sentences_end,
    ),
    Rule(
        "meaning-repeats-code",
        "A meaning says more than the name of the code or class.",
        "warning",
        texts.meanings_say_more,
    ),
    # Verdicts
    Rule(
        "status-verdict",
        "No verdict is against its HTTP status, such as a 503 that is never retried.",
        "warning",
        http.verdicts_fit_statuses,
    ),
    Rule(
        "no-http-status",
        "Where codes have HTTP statuses, each has one.",
        "off",
        http.statuses_are_stated,
    ),
    Rule(
        "any-among-values",
        "A test for any names no other value: any holds for all of them.",
        "warning",
        judging.any_stands_alone,
    ),
    Rule(
        "never-matches",
        "No rule of a verdict tests for what its codes can never carry.",
        "warning",
        judging.rules_can_match,
    ),
    Rule(
        "shadowed-rule",
        "No rule of a verdict comes after others that match whatever it matches.",
        "warning",
        judging.rules_have_their_turn,
    ),
    Rule(
        "always-matches",
        "The last rule of a verdict leaves something to else.",
        "warning",
        judging.else_is_reached,
    ),
    Rule(
        "repeats-else",
        "The last rule of a verdict says something else than else, or has a hint.",
        "warning",
        judging.else_is_not_repeated,
    ),
    Rule(
        "follows-one-verdict",
        "A verdict follows codes that do not all have one verdict.",
        "warning",
        judging.followed_verdicts_differ,
    ),
    Rule(
        "retry-delays",
        "The first delay of a retry is no longer than the longest may be.",
        "warning",
        codes.delays_grow,
    ),
    # What nothing uses
    Rule(
        "unused-group",
        "A group has at least one code.",
        "warning",
        idle.groups_are_used,
    ),
    Rule(
        "unused-type",
        "A record is the type of a field.",
        "warning",
        idle.types_are_used,
    ),
    Rule(
        "unused-attribute",
        "An attribute has a value on some code or class.",
        "warning",
        idle.attributes_are_used,
    ),
    Rule(
        "unused-context",
        "A fact of the context is tested by a rule of some verdict.",
        "warning",
        idle.facts_are_used,
    ),
    Rule(
        "unused-class",
        "An abstract class is extended by another class or a code.",
        "warning",
        idle.classes_are_used,
    ),
    Rule(
        "useless-alias",
        "No alias is a name under which its code is read anyway.",
        "warning",
        idle.aliases_are_new,
    ),
    # The life of a code
    Rule(
        "never-raised",
        "A code that is not retired is raised in one language at least.",
        "warning",
        idle.codes_are_raised,
    ),
    Rule(
        "bare-deprecation",
        "A deprecation says why, or what to use instead.",
        "warning",
        lives.deprecations_explain,
    ),
    Rule(
        "sunset-passed",
        "No sunset lies before the day that --today gives.",
        "warning",
        lives.sunsets_are_ahead,
        dated=True,
    ),
    Rule(
        "no-date",
        "A sunset is a day of the calendar.",
        "error",
        lives.sunsets_are_days,
    ),
    Rule(
        "no-version",
        "What stands behind since is a version.",
        "warning",
        lives.versions_are_stated,
    ),
    Rule(
        "use-of-retired",
        "The code to use instead is not on its way out itself.",
        "warning",
        lives.successors_live,
    ),
    Rule(
        "retired-value",
        "No code that is in use fixes a field to a retired code, or is judged by one.",
        "warning",
        lives.retired_codes_rest,
    ),
    USELESS_IGNORE,
)
