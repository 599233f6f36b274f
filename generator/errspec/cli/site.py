"""The command about the site that a project publishes."""

from __future__ import annotations

import os
import pathlib

import click

from .. import terminal
from ..diagnostics import UsageError
from .common import SPEC, PathType, load, project_of

FOLDER = "errors-site"
"""Not `site`: generators of sites write and empty that one."""


@click.command()
@SPEC
@click.option(
    "--out",
    type=PathType(file_okay=False, path_type=pathlib.Path),
    help=f"The folder of the site.  [default: {FOLDER}, beside errspec.yaml]",
)
@click.option("--force", is_flag=True, help="Overwrite files that were edited by hand.")
def docs(spec: tuple[pathlib.Path, ...], out: pathlib.Path | None, force: bool) -> int:
    """Write a site of the catalogues, or of those of SPEC alone, to be published.

    An index, and for each catalogue a folder with its page, its data as JSON and the
    schema of that; at the top the schema of catalogues. It needs no server: open its
    index.html.
    """
    from .. import lock, output, report, site

    project = project_of(spec)
    packages = site.packages(project, load(project))
    folder = out or project.config.root / FOLDER
    generated = pathlib.Path(os.path.realpath(project.config.out))
    if pathlib.Path(os.path.realpath(folder)).is_relative_to(generated):
        raise UsageError(
            f"{folder.as_posix()}: `errspec generate` writes there; name another folder"
        )
    told = f"errspec: waiting for another run in {folder.as_posix()}"
    with lock.held(folder, lambda: terminal.say(told, err=True), shared=False):
        plan = output.plan(folder, packages, whole=True)
        for line in report.warnings(plan):
            terminal.say(line, err=True)
        done = output.apply(plan, force=force)
    for line in report.written(plan, done, False):
        terminal.say(line)
    terminal.say(f"open {(folder / 'index.html').as_posix()}")
    return 0
