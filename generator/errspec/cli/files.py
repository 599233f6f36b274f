"""Commands about the files that catalogues become."""

from __future__ import annotations

import os
import pathlib
import shlex
from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from .. import terminal
from .common import (
    FORMAT,
    OUT,
    SPEC,
    TARGET,
    PathType,
    load,
    project_of,
    read,
    session,
)

if TYPE_CHECKING:
    from ..config import PageEntry
    from ..inject import Injected
    from ..output import Package, Plan
    from ..project import Loaded, Project
    from ..report import Origins


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
    nothing is written, unless --force. Without SPEC, --target and --out also the
    regions of the pages that errspec.yaml lists, as `errspec inject` does.
    """
    if watch:
        from .watching import again

        return again(spec, targets, out, dry_run, force)
    project = project_of(spec, out)
    return _write(
        _rendered(project, load(project), targets, spec or out), dry_run, force
    )


@click.command()
@click.argument("file", nargs=-1, type=PathType(path_type=pathlib.Path))
@click.option(
    "--dry-run", is_flag=True, help="Say what would be written; write nothing."
)
@click.option(
    "--force", is_flag=True, help="Overwrite regions that were edited by hand."
)
def inject(file: tuple[pathlib.Path, ...], dry_run: bool, force: bool) -> int:
    """Write tables, entries and lists into pages that people wrote.

    What stands in FILE between a line `<!-- errspec:begin table group=budgets -->`
    and a line `<!-- errspec:end -->` is written anew, and nothing else of it changes.
    In MDX the lines are `[//]: # (errspec:begin table)` and `[//]: # (errspec:end)`.
    Without FILE the pages that errspec.yaml lists.
    """
    from ..config import PageEntry
    from ..diagnostics import UsageError

    project = project_of(())
    unique = {os.path.realpath(path): PageEntry(path) for path in file}
    pages = [*unique.values()] or project.config.pages
    if not pages:
        raise UsageError("name a page, or list pages under `inject` in errspec.yaml")
    rendered = _Rendered(project, load(project), [], pages, whole=False)
    return _write(rendered, dry_run, force)


def _write(rendered: _Rendered, dry_run: bool, force: bool) -> int:
    """Write what was rendered, and tell what."""
    from .. import output, report

    with _held(rendered, shared=dry_run):
        plan, _ = _plan(rendered)
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

    Writes nothing. Exit 1 where they differ. Without SPEC, --target and --out also the
    regions of the pages that errspec.yaml lists.
    """
    from .. import formats, report

    project = project_of(spec, out)
    rendered = _rendered(project, read(project), targets, spec or out)
    with _held(rendered, shared=True):
        plan, injected = _plan(rendered)
    origins = _origins(rendered, plan, injected)
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
    loaded: Sequence[Loaded]
    packages: list[tuple[Loaded, Package]]
    pages: Sequence[PageEntry]
    whole: bool


def _rendered(
    project: Project, loaded: Sequence[Loaded], targets: Sequence[str], part: object
) -> _Rendered:
    """Render the catalogues; `part` and `targets` say that these are not all of them."""
    packages = project.packages(loaded, targets)
    whole = not part and not targets
    pages = project.config.pages if whole else ()
    return _Rendered(project, loaded, packages, pages, whole)


def _held(rendered: _Rendered, *, shared: bool) -> AbstractContextManager[None]:
    """Keep other runs out of the output folder, or at least from writing."""
    from .. import lock

    out = rendered.project.config.out
    told = f"errspec: waiting for another run in {out.as_posix()}"
    return lock.held(out, lambda: terminal.say(told, err=True), shared=shared)


def _plan(rendered: _Rendered) -> tuple[Plan, list[Injected]]:
    """Compare what was rendered with the disk; what is odd there is told.

    Pages are read here, while no other run writes them.
    """
    from .. import output, report

    injected: list[Injected] = []
    if rendered.pages:
        from ..inject import inject

        injected = inject(rendered.project, rendered.loaded, rendered.pages)
    plan = output.plan(
        rendered.project.config.out,
        [package for _, package in rendered.packages],
        [each.page for each in injected],
        whole=rendered.whole,
    )
    for line in report.warnings(plan):
        terminal.say(line, err=True)
    return plan, injected


def _origins(rendered: _Rendered, plan: Plan, injected: Sequence[Injected]) -> Origins:
    """Return where in the specs each line of what was rendered comes from."""
    from ..report import Origin, Origins

    names = rendered.project.origins
    packages = {
        package.folder: Origin(one.document, names(one))
        for one, package in rendered.packages
    }
    by_file = {each.page.file: each.origins for each in injected}
    pages = {
        change.path: [
            (first, Origin(one.document, names(one), first) if one else None)
            for first, one in by_file[change.shown]
        ]
        for change in plan.changes
        if change.page
    }
    return Origins(packages, pages)
