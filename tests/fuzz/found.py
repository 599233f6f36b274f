"""Catalogues that once came out wrong, as small as they can be, with what is tried.

Each was found by drawing catalogues at random.
"""

from __future__ import annotations

from collections.abc import Mapping

import yaml

from fuzz.oracle import Case, Data

HEAD = """
errspec: 1
id: found
title: What was found
version: 0.1.0
languages: [python, typescript]
base_class: FoundError
"""

# By what was wrong: the catalogue, and values of fields that are tried, by code.
FOUND: Mapping[str, tuple[str, list[tuple[str, Data]]]] = {
    "a required cause of a code in a class of several": (
        """
classes: {ManyError: {retryable: true}}
codes:
  NEEDS: {class: ManyError, meaning: A., fields: {cause: {type: error}}}
  FREE: {class: ManyError, meaning: B.}
""",
        [("NEEDS", {}), ("FREE", {})],
    ),
    "a required cause of the base": (
        """
classes: {FoundError: {fields: {cause: {type: error}}}}
codes: {ONE: {meaning: A., retryable: true}}
""",
        [("ONE", {})],
    ),
    "a required field, fixed above and free below": (
        """
classes: {MidError: {fields: {why: {type: [x, y]}}, retryable: true}}
codes:
  FIXED: {class: MidError, meaning: A., const: {why: x}}
  FREE: {extends: MidError, meaning: B.}
  OTHER: {extends: MidError, meaning: C., const: {why: y}}
""",
        [("FIXED", {}), ("FREE", {"why": "y"}), ("OTHER", {})],
    ),
    "what a class's one code requires, and codes below lack": (
        """
classes: {MidError: {retryable: true}}
codes:
  ONE: {class: MidError, meaning: A., fields: {why: {type: string}, n: {type: json}}}
  LACKS: {extends: MidError, meaning: B., fields: {why: {type: string, optional: true}}}
""",
        [("ONE", {"why": "", "n": {}}), ("LACKS", {}), ("LACKS", {"why": "x"})],
    ),
    "what only the second of two classes requires": (
        """
classes:
  FirstError: {fields: {why: {type: string, optional: true}}, retryable: true}
  OtherError: {fields: {why: {type: string}}, retryable: true}
codes:
  BOTH: {class: [FirstError, OtherError], meaning: A.}
  ONE: {class: OtherError, meaning: B.}
""",
        [("BOTH", {"why": "x"}), ("ONE", {"why": ""})],
    ),
    "a class's rule about the codes of a group": (
        """
groups: {g: {title: G}}
classes:
  ManyError:
    fields: {what: {type: {code: g}, optional: true}}
    retryable: {rules: [{when: {what: ONE}, then: true}], else: false}
codes:
  ONE: {group: g, meaning: A., retryable: true}
  TWO: {class: ManyError, group: g, meaning: B.}
""",
        [("TWO", {"what": "ONE"}), ("TWO", {"what": "TWO"}), ("TWO", {})],
    ),
    "rules of a retired code": (
        """
codes:
  OLD:
    retired: {since: 1.0, reason: Gone.}
    fields: {status: {type: http_status, optional: true}}
    retryable: {rules: [{when: {status: 5xx}, then: true}], else: unset}
""",
        [("OLD", {"status": 503}), ("OLD", {"status": 404}), ("OLD", {})],
    ),
    "a retired code without a verdict beside one that is unset": (
        """
codes:
  OLD: {retired: {since: 1.0, reason: Gone.}}
  NEW: {meaning: A., retryable: unset}
""",
        [("OLD", {}), ("NEW", {})],
    ),
    "rules about the least duration": (
        """
codes:
  ONE:
    meaning: A.
    fields: {took: {type: duration_ms, optional: true}}
    retryable: {rules: [{when: {took: 0}, then: true}, {when: {took: any}, then: false}], else: true}
""",
        [("ONE", {"took": 0}), ("ONE", {"took": 1}), ("ONE", {})],
    ),
    "mappings in a list that a catalogue states": (
        """
attributes: {note: {type: json}}
codes:
  ONE:
    meaning: A.
    retryable: true
    attributes: {note: [[{"__proto__": [true], 'a"b': x}]]}
    fields: {raw: {type: json}}
    const: {raw: [{yes: false}, [1]]}
""",
        [("ONE", {})],
    ),
    "one word that is longer than a line": (
        f"""
codes:
  ONE: {{meaning: A., retryable: true, fields: {{word: {{type: [{"w" * 90}]}}}}}}
""",
        [("ONE", {"word": "w" * 90})],
    ),
    "a message for one of two words": (
        """
classes: {WordError: {fields: {why: {type: [x, y]}}, retryable: true}}
codes:
  ONE: {class: WordError, meaning: A., const: {why: x}, message: "{why}!"}
  TWO: {class: WordError, meaning: B., const: {why: y}}
""",
        [("ONE", {}), ("TWO", {})],
    ),
    "a name on the wire that a code below changes": (
        """
classes: {MidError: {abstract: true, fields: {why: {type: string, optional: true}}}}
codes:
  ONE:
    extends: MidError
    meaning: A.
    fields: {why: {type: string, optional: true, wire: "Why?"}}
    retryable: {rules: [{when: {why: x}, then: true}], else: false}
  TWO: {extends: MidError, meaning: B., retryable: false}
""",
        [("ONE", {"why": "x"}), ("ONE", {}), ("TWO", {"why": "x"})],
    ),
    "a parameter that just fits without its indent": (
        f"""
types: {{R: {{fields: {{x: {{type: integer}}}}}}}}
codes:
  ONE: {{meaning: A., retryable: true, fields: {{{"a" * 70}: {{type: R, optional: true}}}}}}
""",
        [("ONE", {})],
    ),
    "a language's own meaning with blanks around it": (
        """
codes:
  ONE: {meaning: A., retryable: true, languages: {python: {meaning: " B. ", hint: "C\\n"}}}
""",
        [("ONE", {})],
    ),
    "a name on the wire that is no name in JavaScript": (
        """
codes:
  ONE: {meaning: A., retryable: true, fields: {why: {type: json, wire: __proto__}}}
""",
        [("ONE", {"why": {"__proto__": [{}]}})],
    ),
    "names that every object of JavaScript has": (
        """
types: {Item: {fields: {constructor: {type: string, optional: true}, x: {type: integer}}}}
codes:
  ONE: {meaning: A., retryable: true, fields: {item: {type: Item}, has_own_property: {type: string, optional: true}}}
""",
        [("ONE", {"item": {"x": 1}}), ("ONE", {"item": {"x": 1, "constructor": ""}})],
    ),
    "a field that a class far above fixes": (
        """
classes:
  FixedError: {meaning: A., fields: {z: {type: integer, optional: true}}}
  MiddleError: {extends: FixedError, abstract: true, meaning: B.}
codes:
  LOOSE: {class: none, meaning: C., retryable: true, fields: {why: {type: [a, b], optional: true}}}
  ONE: {class: FixedError, meaning: A., retryable: true, fields: {why: {type: [a, b]}}, const: {why: a}}
  TWO:
    extends: MiddleError
    meaning: D.
    fields: {why: {type: [a, b], optional: true}}
    retryable: {rules: [{when: {why: a}, then: false}], else: true}
""",
        [
            ("TWO", {}),
            ("TWO", {"why": "b"}),
            ("TWO", {"why": "a"}),
            ("ONE", {"why": "a"}),
        ],
    ),
    "a page by class: codes of classes that it does not show, or shows with one code": (
        """
groups: {}
classes:
  HiddenError: {internal: true, retryable: true, meaning: A.}
  SeenError: {retryable: true}
  HalfError: {retryable: true}
codes:
  BOTH: {class: [HiddenError, SeenError], meaning: B.}
  SEEN: {class: SeenError, meaning: C.}
  HALF: {class: HalfError, meaning: D.}
  HALF_HIDDEN: {class: HalfError, internal: true, meaning: E.}
  BARE: {class: none, retryable: false, meaning: F.}
""",
        [("BOTH", {}), ("HALF", {}), ("BARE", {})],
    ),
    "a code that gives way to an internal one": (
        """
codes:
  HIDDEN: {internal: true, meaning: A., retryable: false}
  OLD: {meaning: B., retryable: false, deprecated: {since: 0.1.0, use: HIDDEN}}
  GONE: {meaning: C., retired: {since: 0.1.0, use: HIDDEN, reason: it was}}
""",
        [("OLD", {})],
    ),
}


def found(name: str) -> tuple[Data, list[Case]]:
    """Return a catalogue's data, and the cases."""
    text, tried = FOUND[name]
    data: Data = yaml.load(HEAD + text, yaml.BaseLoader)
    return _typed(data), [Case(code, fields, {}, "m") for code, fields in tried]


def _typed(raw: Data) -> Data:
    """Return plain scalars as errspec reads them: booleans, whole numbers, else text."""

    def typed(value: object) -> object:
        if isinstance(value, dict):
            return {k: typed(v) for k, v in value.items()}
        if isinstance(value, list):
            return [typed(item) for item in value]
        text = str(value)
        words: dict[str, object] = {"true": True, "false": False}
        return int(text) if text.isdecimal() else words.get(text, text)

    return {k: typed(v) for k, v in raw.items()}
