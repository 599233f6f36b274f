"""What differs between languages, and that no text stands for two codes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..diagnostics import Path, Related
from ..model import Code, Local
from .scope import Scope, few, optional, prose


def read_languages(scope: Scope, raw: Any, path: Path) -> dict[str, Local]:
    """Read what a code says of single languages; those must be the catalogue's."""
    local = {}
    for language, entry in raw.get("languages", {}).items():
        place = (*path, "languages", language)
        if scope.languages and language not in scope.languages:
            scope.unknown("language", language, scope.languages, place, on="key")
            continue
        if "code" in entry and "absent" in entry:
            scope.error(
                "absent-code",
                "a code that is absent has no spelling of its own there",
                (*place, "code"),
                mend="an alias is read everywhere: aliases: […]",
            )
        local[language] = Local(
            optional(entry.get("code")),
            entry.get("absent", False),
            prose(entry.get("reason")),
            few(entry["raised_by"]) if "raised_by" in entry else None,
            prose(entry.get("meaning")),
            prose(entry.get("hint")),
        )
    return local


def check_spellings(scope: Scope, codes: Mapping[str, Code]) -> None:
    """Report a text that stands for two codes: the wire could not tell them apart."""
    owners: dict[str, tuple[str, Path]] = {
        key: (key, ("codes", key)) for key in scope.names("codes")
    }
    for code in codes.values():
        path: Path = ("codes", code.key)
        named: list[tuple[str, Path]] = [
            (local.code, (*path, "languages", language, "code"))
            for language, local in code.languages.items()
            if local.code is not None
        ]
        if code.wire is not None:
            named.append((str(code.wire), (*path, "wire")))
        single = len(code.aliases) == 1
        for index, alias in enumerate(code.aliases):
            named.append((alias, (*path, "aliases") if single else (*path, "aliases", index)))
        for spelling, where in named:
            owner, first = owners.setdefault(spelling, (code.key, where))
            if owner != code.key:
                scope.error(
                    "spelling-taken",
                    f"{spelling!r} already stands for {owner}",
                    where,
                    mend="spellings, aliases and wire values are unique",
                    related=(Related(f"{owner} has it here", first),),
                )
