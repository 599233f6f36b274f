"""Commands that read catalogues and say what is in them."""

from __future__ import annotations

import datetime
import pathlib

import click

from .. import terminal
from .common import SPEC, TODAY, load, project_of


@click.command()
@SPEC
@TODAY
def validate(spec: tuple[pathlib.Path, ...], today: datetime.datetime | None) -> int:
    """Check catalogues: shape, references and rules."""
    project = project_of(spec, today=today)
    loaded = load(project)
    for one in loaded:
        errors = sum(d.severity == "error" for d in one.diagnostics)
        if not errors:
            count = len(one.catalogue.codes)
            codes = f"{count} code{'s' * (count != 1)}"
            terminal.say(f"{one.entry.name}: {codes}, no errors")
    return 0


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
