"""Commands for setting up a project: packs, schemas, a first catalogue."""

from __future__ import annotations

import pathlib
import shlex

import click

from .. import terminal
from ..diagnostics import UsageError
from .common import PathType


@click.command()
def targets() -> int:
    """List the packs and their options."""
    from .. import listing
    from ..config import load

    try:
        project_folders = load(()).templates
    except UsageError:
        project_folders = ()
    from ..packs import Library

    for line in listing.packs(Library(project_folders)):
        terminal.say(line)
    return 0


@click.command()
@click.argument(
    "name",
    default="catalogue",
    type=click.Choice(
        ["catalogue", "config", "pack", "language", "markup", "findings", "codes"]
    ),
)
def schema(name: str) -> int:
    """Print the JSON Schema of a catalogue.

    Or of another of errspec's files: config, pack, language, markup; or of the
    findings that --format json gives; or of the codes that list and explain give as JSON.
    """
    from .. import resources

    path = resources.folder("spec") / f"{name}.schema.json"
    terminal.put(path.read_text(encoding="utf-8").rstrip("\n"))
    return 0


@click.command()
@click.argument(
    "folder", default=".", type=PathType(file_okay=False, path_type=pathlib.Path)
)
@click.option(
    "--id",
    "name",
    help="Id of the catalogue.  [default: the folder's name, or app]",
)
def init(folder: pathlib.Path, name: str | None) -> int:
    """Start a project: a small catalogue that works.

    Writes errspec.yaml, spec/ID.yaml and the catalogue's schema into FOLDER.
    """
    from .. import scaffold

    name = scaffold.default_name(folder) if name is None else name
    for path in scaffold.write(folder, name):
        terminal.say(f"wrote {path.as_posix()}")
    where = "" if folder == pathlib.Path() else f"cd {shlex.quote(str(folder))} && "
    terminal.say(f"next: {where}errspec generate")
    return 0
