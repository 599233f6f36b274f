"""The kinds of change: whom each concerns, and what it costs them.

A kind is an id, one sentence, an audience, the bump of a version that it needs, and how
an additive catalogue takes it: as an error, as a warning, or as nothing to speak of.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Audience = Literal["wire", "source", "behaviour", "docs"]
Bump = Literal["major", "minor", "patch"]
BUMPS: tuple[Bump, ...] = ("patch", "minor", "major")


class Kind(Struct, frozen=True):
    """One kind of change.

    `topic` is shared by the kinds that are one change seen from its two ends: what goes
    one way comes the other way. Empty where a kind is its own other end.
    """

    id: str
    purpose: str
    audience: Audience
    bump: Bump
    additive: Literal["error", "warning"] | None
    topic: str = ""


_WEIGHTS: dict[str, tuple[Bump, Literal["error", "warning"] | None]] = {
    "break": ("major", "error"),
    "strain": ("major", "warning"),
    "risk": ("minor", "warning"),
    "addition": ("minor", None),
    "words": ("patch", None),
    "hint": ("patch", "warning"),
}
"""What a change costs: the bump, and the severity where a catalogue is additive.

break: something that worked fails. strain: it fails for some, in a way that was
foreseen. risk: an addition that a strict reader may not expect. hint: words that lead
elsewhere now.
"""

# By audience, a line each: id, weight, topic, purpose.
_TABLES: dict[Audience, str] = {
    "wire": """
code-removed         break    code      A code is gone.
retired-code-removed break    code      A retired code is not read any more.
code-added           addition code      A code is new.
code-renamed         break    -         A code has another key.
code-case-changed    break    -         Only the case of a key has changed.
code-swapped         break    -         A code means what another one meant.
code-reused          break    life      A retired code is raised for something else.
wire-value-changed   break    -         A code is another value on the wire.
alias-removed        break    reading   A text is not read as its code any more.
alias-added          addition reading   One more text is read as a code.
spelling-moved       break    -         A text stands for another code.
envelope-changed     break    -         Fields stand elsewhere on the wire.
field-removed        break    field     A field is gone.
field-added          addition field     A field is new, and may be absent.
field-retyped        break    type      A field holds values of another type.
field-widened        risk     type      A field holds more values than it did.
wire-name-changed    break    -         A field has another name on the wire.
const-changed        break    -         A code fixes a field to another value.
""",
    "source": """
field-made-required    break    field     Whoever makes an error must give a field.
field-made-optional    break    field     A field that was always there may be absent.
type-removed           break    record    A record is gone.
type-added             addition record    A record is new.
spelling-changed       break    -         A language spells a code otherwise.
class-removed          break    class     A class is gone.
class-added            addition class     A class is new.
class-renamed          break    -         A class has another name.
class-changed          break    -         A code is carried by a class that its handlers do not name.
class-reparented       break    parent    A class does not derive from one that it derived from.
class-extended         addition parent    A class derives from one more.
class-made-abstract    break    abstract  No error of a class can be made any more.
class-made-concrete    addition abstract  Errors of an abstract class can be made.
class-closed           break    open      A class does not take any code any more.
class-opened           risk     open      A class takes any code.
constructor-changed    strain   -         A class is made with other arguments.
made-internal          break    internal  Something left the public interface.
made-public            addition internal  Something came into the public interface.
language-lost          break    language  A language does not raise a code, or has no package any more.
language-gained        addition language  One more language raises a code, or has a package.
message-dropped        break    message   An error needs a message that had one of its own.
message-added          addition message   An error has a message of its own.
package-renamed        break    -         The packages of a catalogue have another name.
group-changed          strain   -         A code left a group.
group-removed          strain   group     A group is gone.
group-added            addition group     A group is new.
code-retired           strain   life      A code is not raised any more.
retry-removed          break    layer     A retry layer, or a wrapper of it, is gone.
retry-added            addition layer     A retry layer, or a wrapper of it, is new.
http-removed           break    http      No code has an HTTP status any more.
http-added             addition http      Codes have HTTP statuses.
classification-removed break    classify  Errors are not classified any more.
classification-added   addition classify  Errors are classified.
""",
    "behaviour": """
verdict-flipped         break    verdict   A retry verdict is another one.
rules-changed           break    verdict   The rules of a retry verdict decide otherwise.
pin-dropped             break    pin       A stamp can change a verdict that was pinned.
pin-added               break    pin       No stamp changes a verdict any more.
control-changed         break    -         A code became control flow, or ceased to be.
retirement-undone       break    life      A retired code is raised again.
status-class-changed    break    status    An HTTP status moved to another class.
status-changed          break    status    An HTTP status is another one of its class.
attribute-changed       break    attribute An attribute has another value, or none.
attribute-added         addition attribute An attribute has a value.
retry-changed           strain   -         The retry layer waits or counts otherwise.
foreign-errors-changed  break    -         Errors of others are judged otherwise.
classification-changed  break    -         Errors are classified otherwise.
compatibility-loosened  break    promise   The catalogue promises less.
compatibility-tightened addition promise   The catalogue promises more.
""",
    "docs": """
code-deprecated     addition passing   A code or class is on its way out.
deprecation-undone  words    passing   A code or class stays after all.
deprecation-changed words    -         What is said of a deprecation is something else.
docs-url-changed    hint     -         The docs are published elsewhere.
text-changed        words    -         A text for people reads otherwise.
""",
}


def _kind(audience: Audience, row: str) -> Kind:
    id, weight, topic, purpose = row.split(maxsplit=3)
    return Kind(id, purpose, audience, *_WEIGHTS[weight], id if topic == "-" else topic)


KINDS: dict[str, Kind] = {
    kind.id: kind
    for audience, table in _TABLES.items()
    for kind in (_kind(audience, row) for row in table.strip().splitlines())
}

TOO_LOW = Kind(
    "version-too-low",
    "The version has not moved as far as semantic versioning asks.",
    "source",
    "patch",
    "error",
)
"""No change of its own, but a finding about all of them."""
