"""Commands that read catalogues and say what is in them."""

from __future__ import annotations

import datetime
import pathlib

import click

from .. import terminal
from .common import FORMAT, SPEC, TODAY, load, project_of, read, tell


@click.command()
@SPEC
@TODAY
@FORMAT
def validate(spec: tuple[pathlib.Path, ...], today: datetime.datetime | None) -> int:
    """Check catalogues: shape, references and rules."""
    results = []
    for one in read(project_of(spec, today=today)):
        count = len(one.catalogue.codes)
        codes = f"{count} code{'s' * (count != 1)}"
        results.append(f"{one.entry.name}: {codes}, no errors")
    return tell((), (), results)


@click.command(name="list")
@SPEC
def list_codes(spec: tuple[pathlib.Path, ...]) -> int:
    """List the codes, their verdicts and languages."""
    from .. import explain

    project = project_of(spec)
    for one in load(project):
        view = project.renderer.view(one.catalogue, one.entry.name, None)
        for line in explain.table(view):
            terminal.say(line)
    return 0


@click.command(name="explain")
@click.argument("code")
@SPEC
def explain_code(code: str, spec: tuple[pathlib.Path, ...]) -> int:
    """Say all that is known of a code.

    What it means, whether to retry, who raises it. CODE may be any spelling, alias or wire value.
    """
    from .. import explain

    project = project_of(spec)
    views = [
        project.renderer.view(one.catalogue, one.entry.name, None)
        for one in load(project)
    ]
    for line in explain.explained(views, code):
        terminal.say(line)
    return 0
