"""What commands share: their arguments, the way to the catalogues, and the telling."""

from __future__ import annotations

import datetime
import pathlib
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from .session import FORMAT, Session, show

if TYPE_CHECKING:  # what a command needs is imported when it runs: --help stays quick
    from ..diagnostics import Diagnostic
    from ..project import Loaded, Project
    from ..source import Document

__all__ = [
    "FORMAT",
    "OUT",
    "SPEC",
    "TARGET",
    "PathType",
    "load",
    "project_of",
    "read",
    "session",
    "show",
    "tell",
]


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
    run = session()
    run.files = {path.as_posix(): path for path in spec}
    config = load(spec, out, day)
    run.root = config.root
    run.files = {entry.name: entry.spec for entry in config.entries}
    run.files |= {page.name: page.path for page in config.pages}
    return Project(config)


def load(project: Project) -> list[Loaded]:
    """Read all catalogues; warnings are told at once, errors end the command."""
    loaded = project.load_all()
    project.sound(loaded)
    for one in loaded:
        show(one.diagnostics, [one.document])
    return loaded


def read(project: Project) -> list[Loaded]:
    """Read all catalogues; warnings are kept for `tell`, errors end the command."""
    loaded = project.load_all()
    project.sound(loaded)
    for one in loaded:
        session().keep(one.diagnostics, [one.document])
    return loaded


def session() -> Session:
    """Return what is known of this run."""
    found = click.get_current_context().find_object(Session)
    assert found is not None
    return found


def tell(
    found: Iterable[Diagnostic],
    documents: Iterable[Document],
    results: Sequence[str] = (),
    *,
    baselines: Mapping[str, str] = {},
    purposes: Mapping[str, str] = {},
) -> int:
    """Tell what a command found, as --format says, and return the exit code.

    `results` are the lines that people want beside the findings. `baselines` has the
    name of the document that each old one has become; `purposes` a sentence on each id.
    """
    run = session()
    run.keep(found, documents)
    exit_code = int(any(one.severity == "error" for one in run.found))
    run.tell(exit_code, results, baselines=baselines, purposes=purposes)
    return exit_code
