"""What the reader has to say, and how libyaml's words are put into ours."""

from __future__ import annotations

MAX_EVENTS = 1_000_000
MAX_DEPTH = 50

FINDINGS = {  # by id: the message and the mend
    "alias": ("aliases are not allowed", "write the value out"),
    "ambiguous-key": ("ambiguous key {}", "quote it: other YAML tools read it as {1}"),
    "anchor": ("anchors are not allowed", "remove it"),
    "comment-cut": (
        "a comment ends the text here",
        "quote the text if # is part of it",
    ),
    "complex-key": ("a key must be text", "quote the text"),
    "control-character": ("control characters are not allowed", "remove it"),
    "directive": ("%TAG directives are not allowed", "remove it"),
    "duplicate-key": ("duplicate key {}", "remove one of the two"),
    "empty-key": ("a key must be text", "quote it"),
    "empty-value": ("{} is empty", "write a value, or leave it out"),
    "line-end": ("other YAML tools end the line at {}", "remove it"),
    "merge-key": ("merge keys are not allowed", "write the keys out"),
    "second-document": ("a second document", "one file holds one"),
    "syntax": ("{}", None),
    "tab": ("tabs are not allowed", "indent with spaces"),
    "tag": ("tags are not allowed", "remove it"),
    "too-deep": (f"more than {MAX_DEPTH} levels deep", None),
    "too-large": (f"more than {MAX_EVENTS:,} keys and values", None),
}
WARNINGS = ("ambiguous-key", "comment-cut")

# What to find in libyaml's words, the line before the place, and the character there,
# a line each; our words, where {} is that character; the mend.
SYNTAX = (
    (r"mapping values.*\n.*: ", "': ' inside plain text", "quote the value"),
    (r"mapping values", "no key can stand here", "is a ':' missing above?"),
    (r"quoted scalar: found unexpected", "the quote is never closed", "close it"),
    (r"expected ','.*\n.*\n$", "the bracket is never closed", "close it"),
    (r"expected ','", "a comma or bracket is missing", "close it, or quote the text"),
    (r"any token|an alias|an anchor", "plain text cannot begin with {}", "quote it"),
    (r"a tag|tag handle", "plain text cannot begin with {}", "quote it"),
    (r"block scalar|mapping keys", "plain text cannot begin with {}", "quote it"),
    (r"unknown escape", "an unknown escape", r"write \\ for a backslash"),
    (r"escape code|hexdec", "an escape of no character", "write the character itself"),
    (r"sequence entries", "no list can begin here", "begin it on the next line"),
    (r"expected ':'", "a line without a key", "write key: value, or indent the line"),
    (r"(key|content)\n.*\n:", "a key must be text", "quote it"),
    (r"expected (key|'-' \w+)\n *\n", "indented like nothing above", "line it up"),
    (r"expected (key|'-' \w+)", "text after the value", "quote the whole text"),
    (r"node content\n.*\n\s*$", "the bracket is never closed", "close it"),
    (r"node content", "a value is missing before {}", "quote the text"),
    (r"directive|incompatible", "an unknown directive", "remove the line"),
    (r"document start", "text after the end of the document", "indent or quote it"),
)
