"""What commands share: their arguments, and the way to the catalogues."""

from __future__ import annotations

import datetime
import pathlib
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from .. import terminal

if TYPE_CHECKING:  # what a command needs is imported when it runs: --help stays quick
    from ..project import Loaded, Project


class PathType(click.Path):
    """A path; an empty one, such as of a variable that is not set, is none."""

    def convert(
        self,
        value: Any,
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> Any:
        if value == "":
            self.fail("the path is empty", param, ctx)
        return super().convert(value, param, ctx)


SPEC = click.argument("spec", nargs=-1, type=PathType(path_type=pathlib.Path))
OUT = click.option(
    "--out",
    type=PathType(file_okay=False, path_type=pathlib.Path),
    help="Write below this folder instead of the one that errspec.yaml names.",
)
TODAY = click.option(
    "--today",
    type=click.DateTime(["%Y-%m-%d"]),
    metavar="DATE",
    help="What day it is, such as 2026-11-30: finds sunsets that have passed.",
)
TARGET = click.option(
    "--target",
    "-t",
    "targets",
    multiple=True,
    metavar="PACK",
    help="Only this pack; repeatable.",
)


def project_of(
    spec: Sequence[pathlib.Path],
    out: pathlib.Path | None = None,
    today: datetime.datetime | None = None,
) -> Project:
    from ..config import load
    from ..project import Project

    day = today.date().isoformat() if today else None
    return Project(load(spec, out, day))


def load(project: Project) -> list[Loaded]:
    """Read all catalogues; warnings are told, errors end the command."""
    loaded = project.load_all()
    project.sound(loaded)
    for one in loaded:
        show(one.diagnostics, [one.document])
    return loaded


def show(diagnostics: Sequence[Any], documents: Sequence[Any]) -> None:
    from .. import report

    for line in report.diagnostics(diagnostics, documents, terminal.style(sys.stderr)):
        terminal.put(line, err=True)
