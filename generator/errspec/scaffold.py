"""`errspec init`: a small catalogue and an errspec.yaml that work at once."""

from __future__ import annotations

import json
import pathlib
import re

import jinja2

from . import disk, resources
from .diagnostics import UsageError
from .naming import cased


def write(folder: pathlib.Path, name: str) -> list[pathlib.Path]:
    """Write the files of a new project and return their paths.

    UsageError for a bad id, or where one of the files is there already: then nothing
    is written. OutputError where the disk refuses.
    """
    schema = resources.folder("spec") / "catalogue.schema.json"
    rule = json.loads(schema.read_text(encoding="utf-8"))["properties"]["id"]
    if not re.fullmatch(rule["pattern"], name) or len(name) > rule["maxLength"]:
        raise UsageError(f"the id {rule['errorMessage']}, not {name!r}")
    texts = {
        folder / "errspec.yaml": _filled("errspec.yaml.j2", name),
        folder / "spec" / f"{name}.yaml": _filled("catalogue.yaml.j2", name),
        folder / "spec" / schema.name: schema.read_text(encoding="utf-8"),
    }
    for path in texts:
        if path.exists():
            raise UsageError(f"{path.as_posix()} is there already; nothing was written")
    for path, text in texts.items():
        disk.write(path, path, text)
    return list(texts)


def _filled(template: str, name: str) -> str:
    path = resources.folder("templates") / "scaffold" / template
    source = jinja2.Template(
        path.read_text(encoding="utf-8"), keep_trailing_newline=True
    )
    title = cased(name, "snake").replace("_", " ").capitalize()
    return str(source.render(id=name, title=title, base=cased(name, "pascal")))
