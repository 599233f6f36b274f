"""The command line. The only room that prints, and that decides an exit code.

0: fine. 1: findings or drift. 2: the job could not be done. Results go to stdout,
messages to stderr.
"""

from __future__ import annotations

import pathlib
import shlex
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from . import __version__, terminal
from .diagnostics import ErrspecError, Findings, UsageError

if TYPE_CHECKING:  # what a command needs is imported when it runs: --help stays quick
    from .output import Package, Plan
    from .project import Loaded, Project


class _Path(click.Path):
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


SPEC = click.argument("spec", nargs=-1, type=_Path(path_type=pathlib.Path))
OUT = click.option(
    "--out",
    type=_Path(file_okay=False, path_type=pathlib.Path),
    help="Write below this folder instead of the one that errspec.yaml names.",
)
TARGET = click.option(
    "--target",
    "-t",
    "targets",
    multiple=True,
    metavar="PACK",
    help="Only this pack; repeatable.",
)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, "-V", "--version", message="errspec %(version)s")
@click.option(
    "--debug", is_flag=True, help="Show a traceback where errspec itself fails."
)
def cli(debug: bool) -> None:
    """Compile a YAML catalogue of error codes into error modules and docs.

    Without SPEC a command works on what the nearest errspec.yaml upward names.
    """


@cli.command()
@SPEC
def validate(spec: tuple[pathlib.Path, ...]) -> int:
    """Check catalogues: shape, references and rules."""
    project = _project(spec)
    loaded = _load(project)
    for one in loaded:
        errors = sum(d.severity == "error" for d in one.diagnostics)
        if not errors:
            count = len(one.catalogue.codes)
            codes = f"{count} code{'s' * (count != 1)}"
            terminal.say(f"{one.entry.name}: {codes}, no errors")
    return 0


@cli.command()
@SPEC
@TARGET
@OUT
@click.option(
    "--dry-run", is_flag=True, help="Say what would be written; write nothing."
)
@click.option("--force", is_flag=True, help="Overwrite files that were edited by hand.")
def generate(
    spec: tuple[pathlib.Path, ...],
    targets: tuple[str, ...],
    out: pathlib.Path | None,
    dry_run: bool,
    force: bool,
) -> int:
    """Write what the catalogues say.

    Files that are right already stay untouched. Where a file was edited by hand
    nothing is written, unless --force.
    """
    from . import output, report

    rendered = _rendered(spec, targets, out)
    with _held(rendered, shared=dry_run):
        plan = _plan(rendered)
        if dry_run:
            done: Sequence[Any] = report.pending(plan, force)
        else:
            done = output.apply(plan, force=force)
    for line in report.written(plan, done, dry_run):
        terminal.say(line)
    return 0


@cli.command()
@SPEC
@TARGET
@OUT
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
    from . import report

    rendered = _rendered(spec, targets, out)
    with _held(rendered, shared=True):
        plan = _plan(rendered)
    origins = {
        package.folder: report.Origins(one.document, rendered.project.origins(one))
        for one, package in rendered.packages
    }
    again = ["errspec", "generate", *map(str, spec)]
    again += [word for target in targets for word in ("--target", target)]
    again += ["--out", str(out)] if out else []
    for line in report.drift(plan, origins, diff, shlex.join(again)):
        terminal.say(line)
    return 1 if plan.drift else 0


@cli.command(name="list")
@SPEC
def list_codes(spec: tuple[pathlib.Path, ...]) -> int:
    """List the codes, their verdicts and languages."""
    from . import explain

    project = _project(spec)
    for one in _load(project):
        view = project.renderer.view(one.catalogue, one.entry.name, None)
        for line in explain.table(view):
            terminal.say(line)
    return 0


@cli.command(name="explain")
@click.argument("code")
@SPEC
def explain_code(code: str, spec: tuple[pathlib.Path, ...]) -> int:
    """Say all that is known of a code.

    What it means, whether to retry, who raises it. CODE may be any spelling, alias or wire value.
    """
    from . import explain

    project = _project(spec)
    views = [
        project.renderer.view(one.catalogue, one.entry.name, None)
        for one in _load(project)
    ]
    for line in explain.explained(views, code):
        terminal.say(line)
    return 0


@cli.command()
def targets() -> int:
    """List the packs and their options."""
    from . import explain
    from .config import load

    try:
        project_folders = load(()).templates
    except UsageError:
        project_folders = ()
    from .packs import Library

    for line in explain.packs(Library(project_folders)):
        terminal.say(line)
    return 0


@cli.command()
@click.argument(
    "name",
    default="catalogue",
    type=click.Choice(["catalogue", "config", "pack", "language", "markup"]),
)
def schema(name: str) -> int:
    """Print the JSON Schema of a catalogue.

    Or of another of errspec's files: config, pack, language, markup.
    """
    from . import resources

    path = resources.folder("spec") / f"{name}.schema.json"
    terminal.put(path.read_text(encoding="utf-8").rstrip("\n"))
    return 0


@cli.command()
@click.argument(
    "folder", default=".", type=_Path(file_okay=False, path_type=pathlib.Path)
)
@click.option(
    "--id", "name", default="app", show_default=True, help="Id of the catalogue."
)
def init(folder: pathlib.Path, name: str) -> int:
    """Start a project: a small catalogue that works.

    Writes errspec.yaml, spec/ID.yaml and the catalogue's schema into FOLDER.
    """
    from . import scaffold

    for path in scaffold.write(folder, name):
        terminal.say(f"wrote {path.as_posix()}")
    where = "" if folder == pathlib.Path() else f"cd {shlex.quote(str(folder))} && "
    terminal.say(f"next: {where}errspec generate")
    return 0


def _project(spec: Sequence[pathlib.Path], out: pathlib.Path | None = None) -> Project:
    from .config import load
    from .project import Project

    return Project(load(spec, out))


def _load(project: Project) -> list[Loaded]:
    """Read all catalogues; warnings are told, errors end the command."""
    loaded = project.load_all()
    project.sound(loaded)
    for one in loaded:
        _show(one.diagnostics, [one.document])
    return loaded


class _Rendered(NamedTuple):
    """What the catalogues give; `whole` says that it is all that the project has."""

    project: Project
    packages: list[tuple[Loaded, Package]]
    whole: bool


def _rendered(
    spec: Sequence[pathlib.Path], targets: Sequence[str], out: pathlib.Path | None
) -> _Rendered:
    project = _project(spec, out)
    packages = project.packages(_load(project), targets)
    return _Rendered(project, packages, not spec and not targets and not out)


def _held(rendered: _Rendered, *, shared: bool) -> AbstractContextManager[None]:
    """Keep other runs out of the output folder, or at least from writing."""
    from . import lock

    out = rendered.project.config.out
    told = f"errspec: waiting for another run in {out.as_posix()}"
    return lock.held(out, lambda: terminal.say(told, err=True), shared=shared)


def _plan(rendered: _Rendered) -> Plan:
    """Compare what was rendered with the disk; what is odd there is told."""
    from . import output, report

    packages = [package for _, package in rendered.packages]
    plan = output.plan(rendered.project.config.out, packages, whole=rendered.whole)
    for line in report.warnings(plan):
        terminal.say(line, err=True)
    return plan


def _show(diagnostics: Sequence[Any], documents: Sequence[Any]) -> None:
    from . import report

    for line in report.diagnostics(diagnostics, documents, terminal.style(sys.stderr)):
        terminal.put(line, err=True)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run errspec and exit."""
    terminal.prepare()
    args = list(sys.argv[1:] if arguments is None else arguments)
    sys.exit(_run(args))


def _run(args: list[str]) -> int:
    try:
        status = int(cli.main(args, "errspec", standalone_mode=False) or 0)
        terminal.finish()
        return status
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.ClickException as error:
        terminal.show(error)
        return 2
    except (click.Abort, KeyboardInterrupt):
        terminal.say("errspec: interrupted", err=True)
        return 130
    except Findings as found:
        _show(found.diagnostics, found.documents)
        return found.exit_code
    except ErrspecError as error:
        _complain(str(error))
        return error.exit_code
    except Exception as error:
        if "--debug" in args:
            raise
        if isinstance(error, OSError) and error.filename is None:  # click's own words
            _complain(str(terminal.unwritable(error)))
            return 2
        _complain(
            f"internal error: {type(error).__name__}: {error}\n"
            "  this is a fault of errspec's; --debug before the command shows where"
        )
        return 2


def _complain(message: str) -> None:
    for line in f"errspec: {message}".split("\n"):
        terminal.say(line, err=True)
