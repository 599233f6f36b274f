"""`errspec init`: a small catalogue and an errspec.yaml that work at once."""

from __future__ import annotations

import json
import pathlib
import re
from typing import Any

import jinja2

from . import disk, resources
from .diagnostics import UsageError
from .naming import cased


def default_name(folder: pathlib.Path) -> str:
    """Return the id of a catalogue that is made in a folder: the folder's name, as far
    as that can be one."""
    name = re.sub("[^a-z0-9]+", "-", folder.absolute().name.lower()).strip("-")
    return name if _is_id(name) else "app"


def write(folder: pathlib.Path, name: str) -> list[pathlib.Path]:
    """Write the files of a new project and return their paths.

    UsageError for a bad id, or where one of the files is there already: then nothing
    is written. OutputError where the disk refuses.
    """
    if not _is_id(name):
        raise UsageError(f"the id {_id_rule()['errorMessage']}, not {name!r}")
    schema = resources.folder("spec") / "catalogue.schema.json"
    texts = {
        folder / "errspec.yaml": _filled("errspec.yaml.j2", name),
        folder / "spec" / f"{name}.yaml": _filled("catalogue.yaml.j2", name),
        folder / "spec" / schema.name: schema.read_text(encoding="utf-8"),
    }
    for path in texts:
        if path.exists():
            raise UsageError(
                f"{path.as_posix()} is there already; nothing was written\n"
                f"to add a catalogue, write spec/{name}.yaml and list it under "
                "`catalogues` in errspec.yaml"
            )
    for path, text in texts.items():
        disk.write(path, path, text)
    return list(texts)


def _id_rule() -> dict[str, Any]:
    schema = resources.folder("spec") / "catalogue.schema.json"
    found = json.loads(schema.read_text(encoding="utf-8"))["properties"]["id"]
    return dict(found)


def _is_id(name: str) -> bool:
    rule = _id_rule()
    fits = re.fullmatch(rule["pattern"], name) is not None
    return fits and len(name) <= rule["maxLength"]


def _filled(template: str, name: str) -> str:
    path = resources.folder("templates") / "scaffold" / template
    source = jinja2.Template(
        path.read_text(encoding="utf-8"), keep_trailing_newline=True
    )
    title = cased(name, "snake").replace("_", " ").capitalize()
    return str(source.render(id=name, title=title, base=cased(name, "pascal")))
