"""Options of a pack: what errspec.yaml sets, else what the pack says."""

from __future__ import annotations

import re
from typing import Any

from .config import FILE, Config, Entry
from .diagnostics import Diagnostic, PackFault, UsageError, did_you_mean, listed
from .model import Catalogue
from .packs import Option, Pack
from .schema import text


def pack_options(
    config: Config, entry: Entry, pack: Pack, catalogue: Catalogue
) -> dict[str, Any]:
    """Return the values of a pack's options for a catalogue.

    Findings at the place in errspec.yaml where an option is unknown or ill-typed.
    """
    given = entry.options.get(pack.name, {})
    for name in given:
        if name not in pack.options:
            known = pack.options
            mend = did_you_mean(name, known) or (
                f"options of {pack.name}: {listed(known)}" if known else "it has none"
            )
            path = (*entry.path, "options", pack.name, name)
            raise config.wrong("unknown-option", f"unknown option {name!r}", path, mend)
    values = {}
    for option in pack.options.values():
        raw = given.get(option.name, option.default)
        if isinstance(raw, str):
            raw = raw.replace("{id}", catalogue.id)
            raw = raw.replace("{module}", catalogue.id.replace("-", "_"))
            raw = raw.replace("{version}", catalogue.version)
        values[option.name] = value = _typed(option, raw)
        if value is None:
            demand = _demand(option)
            path = (*entry.path, "options", pack.name, option.name)
            if option.name in given:
                raise config.wrong(
                    "wrong-option",
                    f"{option.name} must be {demand}, not {raw!r}",
                    path,
                    None,
                )
            if option.default == raw:  # so it holds for no catalogue
                message = f"the default {raw!r} is not {demand}"
                path = ("options", option.name, "default")
                file = pack.document
                fault = Diagnostic("wrong-option", message, file.name, path)
                raise PackFault([fault], [file])
            raise UsageError(
                f"{pack.name}: set the option {option.name} in {FILE}: "
                f"its default {raw!r} is not {demand}"
            )
        own = catalogue.attributes if option.attributes else ()
        allowed = [*option.words, *own]
        for number, word in enumerate(value if option.words else ()):
            if option.name in given and word not in allowed:
                path = (*entry.path, "options", pack.name, option.name, number)
                mend = did_you_mean(word, allowed) or f"known: {listed(allowed)}"
                said = f"{option.name} cannot have {word!r}"
                raise config.wrong("wrong-option", said, path, mend)
    return values


_LONG = 40
"""Characters of a pattern up to which it says more than the option's meaning."""


def _typed(option: Option, raw: Any) -> Any:
    match option.type:
        case "boolean":
            return raw if isinstance(raw, bool) else None
        case "integer":
            return raw if isinstance(raw, int) and not isinstance(raw, bool) else None
        case "list":
            return [text(r) for r in raw] if raw and isinstance(raw, list) else None
        case _:
            fits = isinstance(raw, str | int) and (
                option.pattern is None
                or re.fullmatch(option.pattern, text(raw)) is not None
            )
            return text(raw) if fits else None


def _demand(option: Option) -> str:
    if option.pattern and option.meaning and len(option.pattern) > _LONG:
        return f"text that can be the {option.meaning}"
    if option.pattern:
        return f"text that matches {option.pattern}"
    names = {
        "boolean": "true or false",
        "integer": "a whole number",
        "list": "a list of one or more",
    }
    return names.get(option.type, "text")
