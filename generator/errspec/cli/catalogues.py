"""Commands that read catalogues and say what is in them."""

from __future__ import annotations

import datetime
import pathlib
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from .. import terminal
from .common import FORMAT, SPEC, TODAY, load, project_of, read, tell

if TYPE_CHECKING:
    from ..project import Loaded, Project
    from ..view import View


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
@click.option(
    "--group", "groups", multiple=True, metavar="KEY", help="Only codes of this group."
)
@click.option(
    "--retryable",
    "verdicts",
    multiple=True,
    type=click.Choice(["yes", "no", "depends", "unset", "true", "false"]),
    help="Only codes of which this is the verdict.",
)
@click.option(
    "--language",
    "languages",
    multiple=True,
    metavar="NAME",
    help="Only codes that this language raises.",
)
@click.option(
    "--raised-by",
    multiple=True,
    metavar="TEXT",
    help="Only codes with this in the name of who raises them.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "markdown"]),
    default="text",
    help="Text (the default), one array of JSON, or tables as `inject` writes them.",
)
def list_codes(
    spec: tuple[pathlib.Path, ...],
    groups: tuple[str, ...],
    verdicts: tuple[str, ...],
    languages: tuple[str, ...],
    raised_by: tuple[str, ...],
    form: str,
) -> int:
    """List the codes, their verdicts and languages.

    Options are repeatable: a code has one of the values of each. JSON is what `errspec
    schema codes` describes.
    """
    from .. import listing
    from ..selection import Selection

    project = project_of(spec)
    loaded = load(project)
    views = _views(project, loaded)
    selection = Selection(groups, verdicts, languages, raised_by)
    selection.check(views)
    picked = [
        (one, v, selection.codes(v)) for one, v in zip(loaded, views, strict=True)
    ]
    if form == "json":
        terminal.write(
            listing.json([(v, code) for _, v, codes in picked for code in codes])
        )
    elif form == "markdown":
        tables = (
            listing.markdown(project, one, codes) for one, _, codes in picked if codes
        )
        terminal.write("\n".join(tables))
    else:
        width, style = terminal.width(), terminal.style(sys.stdout)
        for _, view, codes in picked:
            if codes:
                for line in listing.table(view, codes, width, style):
                    terminal.put(line)
    if not any(codes for *_, codes in picked):
        terminal.say("errspec: no code is like that", err=True)
    return 0


def _complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Return what may stand for a code, where the project can be read."""
    from ..config import load as configured
    from ..diagnostics import ErrspecError
    from ..project import Project
    from ..selection import names

    try:
        project = Project(configured(ctx.params.get("spec") or ()))
        known = names(_views(project, project.load_all()))
    except ErrspecError:
        return []
    return [name for name in known if name.startswith(incomplete)]


@click.command(name="explain")
@click.argument("code", shell_complete=_complete)
@SPEC
@click.option("--json", "as_json", is_flag=True, help="Print it as an array of JSON.")
@click.option("--no-pager", is_flag=True, help="Print it, however long it is.")
def explain_code(
    code: str, spec: tuple[pathlib.Path, ...], as_json: bool, no_pager: bool
) -> int:
    """Say all that is known of a code.

    What it means, whether to retry, what to do, who raises it, what it carries. CODE may
    be any spelling, alias or wire value, or the name of a class: then all its codes are
    told. What does not fit on a terminal goes through $PAGER, or less. JSON is what
    `errspec schema codes` describes.
    """
    from .. import explain, listing
    from ..selection import find

    project = project_of(spec)
    found = find(_views(project, load(project)), code)
    if as_json:
        terminal.write(listing.json(found))
        return 0
    width = terminal.width()
    lines = explain.explained(found, width, terminal.style(sys.stdout))
    terminal.page([*lines], pager=not no_pager)
    return 0


def _views(project: Project, loaded: Sequence[Loaded]) -> list[View]:
    """Return the neutral views of catalogues."""
    return [
        project.renderer.view(one.catalogue, one.entry.name, None) for one in loaded
    ]
