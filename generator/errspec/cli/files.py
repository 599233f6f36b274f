"""Commands about the files that catalogues become."""

from __future__ import annotations

import pathlib
import shlex
from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from .. import terminal
from .common import FORMAT, OUT, SPEC, TARGET, load, project_of, read, session

if TYPE_CHECKING:
    from ..output import Package, Plan
    from ..project import Loaded, Project


@click.command()
@SPEC
@TARGET
@OUT
@click.option(
    "--dry-run", is_flag=True, help="Say what would be written; write nothing."
)
@click.option("--force", is_flag=True, help="Overwrite files that were edited by hand.")
@click.option("--watch", is_flag=True, help="Do it again at each change, until Ctrl-C.")
def generate(
    spec: tuple[pathlib.Path, ...],
    targets: tuple[str, ...],
    out: pathlib.Path | None,
    dry_run: bool,
    force: bool,
    watch: bool,
) -> int:
    """Write what the catalogues say.

    Files that are right already stay untouched. Where a file was edited by hand
    nothing is written, unless --force.
    """
    if watch:
        from .watching import again

        return again(spec, targets, out, dry_run, force)
    from .. import output, report

    project = project_of(spec, out)
    rendered = _rendered(project, load(project), targets, spec or out)
    with _held(rendered, shared=dry_run):
        plan = _plan(rendered)
        if dry_run:
            done: Sequence[Any] = report.pending(plan, force)
        else:
            done = output.apply(plan, force=force)
    for line in report.written(plan, done, dry_run):
        terminal.say(line)
    return 0


@click.command()
@SPEC
@TARGET
@OUT
@FORMAT
@click.option(
    "--diff/--no-diff",
    default=True,
    help="Show the lines that differ.  [default: diff]",
)
def check(
    spec: tuple[pathlib.Path, ...],
    targets: tuple[str, ...],
    out: pathlib.Path | None,
    diff: bool,
) -> int:
    """Compare what is on disk with the catalogues.

    Writes nothing. Exit 1 where they differ.
    """
    from .. import formats, report

    project = project_of(spec, out)
    rendered = _rendered(project, read(project), targets, spec or out)
    with _held(rendered, shared=True):
        plan = _plan(rendered)
    origins = {
        package.folder: report.Origins(one.document, rendered.project.origins(one))
        for one, package in rendered.packages
    }
    again = ["errspec", "generate", *map(str, spec)]
    again += [word for target in targets for word in ("--target", target)]
    again += ["--out", str(out)] if out else []
    generate = shlex.join(again)
    exit_code = 1 if plan.drift else 0
    session().tell(
        exit_code,
        [*report.drift(plan, origins, diff, generate)],
        more=formats.drift(plan, origins, generate, session().names()),
    )
    return exit_code


class _Rendered(NamedTuple):
    """What the catalogues give; `whole` says that it is all that the project has."""

    project: Project
    packages: list[tuple[Loaded, Package]]
    whole: bool


def _rendered(
    project: Project, loaded: Sequence[Loaded], targets: Sequence[str], part: object
) -> _Rendered:
    """Render the catalogues; `part` and `targets` say that these are not all of them."""
    packages = project.packages(loaded, targets)
    return _Rendered(project, packages, not part and not targets)


def _held(rendered: _Rendered, *, shared: bool) -> AbstractContextManager[None]:
    """Keep other runs out of the output folder, or at least from writing."""
    from .. import lock

    out = rendered.project.config.out
    told = f"errspec: waiting for another run in {out.as_posix()}"
    return lock.held(out, lambda: terminal.say(told, err=True), shared=shared)


def _plan(rendered: _Rendered) -> Plan:
    """Compare what was rendered with the disk; what is odd there is told."""
    from .. import output, report

    packages = [package for _, package in rendered.packages]
    plan = output.plan(rendered.project.config.out, packages, whole=rendered.whole)
    for line in report.warnings(plan):
        terminal.say(line, err=True)
    return plan
