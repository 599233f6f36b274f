"""Catalogues of any size in the shape of `spec/agent.yaml`, the same ones every time.

The shares are those that agent has: how many codes carry a hint, differ between the
languages, have fields and rules; how long meanings are; how groups differ in size.
"""

from __future__ import annotations

import pathlib
import random
from collections.abc import Iterator
from typing import Any

import yaml

WORDS: dict[str, Any] = yaml.safe_load(
    (pathlib.Path(__file__).parent / "words.yaml").read_text(encoding="utf-8")
)
SUBJECTS, PROBLEMS, PARTS = (
    WORDS[name].split() for name in ("subjects", "problems", "parts")
)

# (share in per cent, how many modules raise a code)
RAISED_BY = ((8, 0), (80, 1), (8, 2), (2, 3), (2, 4))

ABSENT = {
    "typescript": "only the `{subject}` of Python checks the {part} for this",
    "python": "the model is told in a feedback message about the {part} instead",
}

STATUS = "status: {type: http_status, optional: true, meaning: HTTP status of the answer; absent on a network failure}"
AFTER = "retry_after: {type: retry_after, optional: true, meaning: the wait that the service asked for}"
REASON = (
    "reason:",
    "  type: [network, {0}, {1}]",
    "  optional: true",
    "  meaning: what failed, where the status does not tell",
)
BY_REASON = "- {{when: {{reason: {0}}}, then: false, hint: look at the {1} first}}"

# What codes with rules carry, and the rules; agent's six are of these kinds.
JUDGED: tuple[tuple[tuple[str, ...], tuple[str, ...], str], ...] = (
    (
        (STATUS, *REASON, AFTER),
        (
            BY_REASON,
            "- {{when: {{status: [429, 5xx]}}, then: true}}",
            "- {{when: {{status: 4xx}}, then: false}}",
        ),
        "true",
    ),
    (
        (STATUS,),
        (
            "- {{when: {{status: 5xx}}, then: true}}",
            "- {{when: {{status: 4xx}}, then: false}}",
        ),
        "true",
    ),
    ((STATUS,), ("- {{when: {{status: 5xx}}, then: true}}",), "false"),
    (
        (STATUS, *REASON),
        (
            BY_REASON,
            "- {{when: {{status: 5xx}}, then: true}}",
            "- {{when: {{status: any}}, then: false}}",
        ),
        "true",
    ),
)

HEAD = """\
# yaml-language-server: $schema=catalogue.schema.json
errspec: 1
id: bench
title: Errors of the benchmark
version: 0.1.0
languages: [python, typescript]
base_class: BenchError
class_per_code: true
acronyms: [API, ID, URL]
compatibility: additive
"""

TYPES_AND_CLASSES = """
types:
  HandoffSignal:
    fields:
      to: {type: string, meaning: name of the member that takes over}
      message: {type: string, meaning: what that member is told}
      context: {type: json, optional: true, meaning: data that goes along}

classes:
  BenchError:
    meaning: Base of every failure that the framework raises, with a stable code and a retry verdict.
  BenchInterrupt:
    extends: none
    control: true
    meaning: Suspends the run until a person decides, and passes through every retry layer untouched.

codes:
"""

RETRY = """
retry:
  wrappers: [tool, model]
  max_retries: 3
  initial_delay_ms: 1000
  backoff_factor: 2.0
  max_delay_ms: 60000
  jitter: true
  on_failure: error
  languages: {typescript: {max_retries: 2}}
"""


def catalogue(size: int) -> str:
    """Return the YAML text of a catalogue of so many codes."""
    draw = random.Random(f"errspec {size}")
    groups = _groups(draw, size)
    keys = _keys(draw, size)
    lines = [HEAD, "groups:"]
    lines += [f"  {key}: {{title: {title}}}" for key, title in groups]
    lines += [TYPES_AND_CLASSES]
    # Some groups have five times as many codes as others; no group is empty.
    weights = [1 / (1 + n % 7) for n in range(len(groups))]
    chosen = list(range(len(groups)))
    chosen += draw.choices(chosen, weights, k=size - len(groups))
    places = list(range(size))
    draw.shuffle(places)  # what a code has does not depend on its group
    before = None
    for key, group, place in zip(keys, sorted(chosen), places, strict=True):
        if group != before:
            lines += [f"  # {groups[group][1]}", ""]
        before = group
        lines += [f"  {line}" for line in _code(draw, key, groups[group][0], place)]
        lines += [""]
    return "\n".join(lines).rstrip("\n") + "\n" + RETRY


def _groups(draw: random.Random, size: int) -> list[tuple[str, str]]:
    """Return keys and titles of groups: 11 where there are 50 codes, as agent has."""
    titles: dict[str, str] = {}
    while len(titles) < round(1.55 * size**0.5):
        one, other = draw.sample(SUBJECTS, 2)
        titles[f"{one}_{other}"] = f"{one.capitalize()} & {other}"
    return list(titles.items())


def _keys(draw: random.Random, size: int) -> list[str]:
    """Return names for codes: most of two words, the others of three and four."""
    found: dict[str, None] = {}
    while len(found) < size:
        kind = draw.randrange(100)
        subject, problem = draw.choice(SUBJECTS), draw.choice(PROBLEMS)
        parts = draw.sample(PARTS, 0 if kind < 66 else 1 if kind < 95 else 2)
        key = "_".join((subject, *parts, problem)).upper()
        found.setdefault(key)
    return list(found)


def _code(draw: random.Random, key: str, group: str, place: int) -> Iterator[str]:
    """Yield the lines of one code; every place out of fifty has what it is for."""
    subject, *parts, problem = key.lower().split("_")
    part = draw.choice(PARTS)
    words = {"subject": subject, "part": part}
    yield f"{key}:"
    if place % 50 == 1:
        yield f"  class: Run{''.join(w.capitalize() for w in (subject, *parts, problem))}Error"
    yield f"  group: {group}"
    yield f"  meaning: {_meaning(draw, subject, part)}"
    if place % 5 == 2:
        hint = draw.choice(WORDS["hints"]).format(**words)
        yield f"  hint: {hint}"
    if place % 10 == 0:
        yield from _judged(draw, place // 10, part)
    elif place % 50 == 3:
        yield "  control: true"
        yield "  fields:"
        yield "    signal: {type: HandoffSignal, meaning: where the run goes next}"
    else:
        yield f"  retryable: {str(place % 10 == 4).lower()}"
    shares, counts = zip(*RAISED_BY, strict=True)
    [count] = draw.choices(counts, shares)
    raisers = [f"{draw.choice(SUBJECTS)} {draw.choice(PARTS)}" for _ in range(count)]
    if raisers:
        yield f"  raised_by: [{', '.join(dict.fromkeys(raisers))}]"
    if place % 10 in (5, 6):
        absent = "python" if place % 10 == 5 else "typescript"
        reason = ABSENT[absent].format(**words)
        yield "  languages:"
        yield f"    {absent}: {{absent: true, reason: {reason}}}"
    elif place % 50 == 7:
        yield "  languages:"
        yield f"    python: {{raised_by: [{subject} {part} (middleware.py)]}}"
        yield "    typescript:"
        yield f"      code: {key}_OLD"
        yield "      reason: each package named the code in its own way, and both names are on the wire"
        yield f"      raised_by: [{subject} {part} (tracing/)]"
    elif place % 25 == 8:
        yield "  languages:"
        yield f"    python: {{raised_by: [{subject}.{part}_{problem}]}}"
        yield f"    typescript: {{raised_by: [{subject}.{part}{problem.capitalize()}]}}"


def _meaning(draw: random.Random, subject: str, part: str) -> str:
    """Return a sentence of 45 to 120 characters, 70 on average as agent's are."""
    names = ("openings", "middles", "endings")
    opening, middle, ending = (draw.choice(WORDS[name]) for name in names)
    ending = ending if draw.randrange(6) == 0 else ""
    return f"{opening} a {part} {middle} the {subject}{ending}."


def _judged(draw: random.Random, number: int, part: str) -> Iterator[str]:
    """Yield fields and the rules on them."""
    fields, rules, otherwise = JUDGED[number % len(JUDGED)]
    words = draw.sample(PROBLEMS, 2)
    yield "  fields:"
    for line in fields:
        yield f"    {line if line in (STATUS, AFTER) else line.format(*words)}"
    yield "  retryable:"
    yield "    rules:"
    for line in rules:
        yield f"      {line.format(words[0], part)}"
    yield f"    else: {otherwise}"
