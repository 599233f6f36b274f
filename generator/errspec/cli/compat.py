"""Commands that compare catalogues with what they were."""

from __future__ import annotations

import pathlib
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from .. import terminal
from ..diagnostics import Diagnostic, UsageError
from .common import SPEC, PathType, project_of, show

if TYPE_CHECKING:
    from ..compat import Comparison
    from ..project import Loaded, Project
    from ..source import Document


def _named(context: click.Context, option: click.Parameter, value: str) -> str:
    """Refuse an empty text, such as of a variable that is not set: it names nothing."""
    if not value:
        raise click.BadParameter("it is empty", context, option)
    return value


_AGAINST_HELP = (
    "Compare with this: a file, or a commit of git. main... means the commit at which HEAD"
    " left main."
)
AGAINST_PATH = click.option(
    "--against-path",
    type=PathType(path_type=pathlib.Path),
    help="Where the catalogue was at that commit, if it has been moved.",
)


def _against(**more: Any) -> Callable[[Any], Any]:
    return click.option(
        "--against", metavar="REF|FILE", callback=_named, help=_AGAINST_HELP, **more
    )


@click.command()
@SPEC
@_against(required=True)
@AGAINST_PATH
def breaking(
    spec: tuple[pathlib.Path, ...], against: str, against_path: pathlib.Path | None
) -> int:
    """Find changes that break whom a catalogue serves.

    Compares with an earlier state and exits with 1 where a change breaks what the
    catalogue's `compatibility` promises, unless errspec.yaml allows it.
    """
    from ..compat.judge import judge

    project = project_of(spec)
    found: list[Diagnostic] = []
    documents: list[Document] = []
    used: set[Any] = set()
    for one, comparison in _compared(project, against, against_path):
        documents.append(one.document)
        if comparison is None:
            continue
        documents.append(comparison.old.document)
        judged = judge(comparison, _changes(comparison), project.config.allowances)
        found += judged.findings
        used |= judged.used
    if not spec:
        found += _unused(project, used)
    if project.config.document:
        documents.append(project.config.document)
    return _tell(found, documents, against)


@click.command()
@SPEC
@_against(default="HEAD", show_default=True)
@AGAINST_PATH
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "markdown"]),
    default="text",
    show_default=True,
    help="markdown: an entry of a changelog.",
)
@click.option("--exit-code", is_flag=True, help="Exit with 1 where anything changed.")
def diff(
    spec: tuple[pathlib.Path, ...],
    against: str,
    against_path: pathlib.Path | None,
    form: str,
    exit_code: bool,
) -> int:
    """Say all that changed in a catalogue, additions and texts included."""
    from ..compat import changelog

    project = project_of(spec)
    differ = False
    for _, comparison in _compared(project, against, against_path):
        if comparison is None:
            differ = True
            continue
        changed = _changes(comparison)
        differ |= bool(changed)
        if form == "text":
            lines = changelog.lines(comparison, changed)
        else:
            places = project.library.markup("markdown")
            lines = changelog.entry(comparison, changed, places)
        for line in lines:
            terminal.say(line)
    return int(exit_code and differ)


def _changes(comparison: Comparison) -> list[Any]:
    from ..compat import changes

    return changes(comparison)


def _compared(
    project: Project, against: str, against_path: pathlib.Path | None
) -> Iterator[tuple[Loaded, Comparison | None]]:
    """Yield each catalogue with its comparison; None where the base has none of it."""
    from ..compat import Comparison, Side, base

    file = pathlib.Path(against)
    many = len(project.config.entries) > 1
    if many and (file.is_file() or against_path):
        option = "--against-path" if against_path else "--against FILE"
        raise UsageError(f"{option} is for one catalogue: name its spec")
    if file.is_file() and against_path:
        raise UsageError("--against-path goes with a commit, and --against is a file")
    loaded = project.load_all()
    project.sound(loaded)
    for one in loaded:
        document = _document(one, against, against_path)
        if document is None:
            count = len(one.catalogue.codes)
            codes = f"{count} code{'s' * (count != 1)}"
            note = f"{one.entry.name} is new: {against} has no such file, so its {codes} break nobody"
            terminal.say(f"{note} (if it was moved: --against-path)", err=True)
            yield one, None
            continue

        def view(catalogue: Any, name: str = document.name) -> Any:
            return project.renderer.view(catalogue, name, None)

        old, warnings = base.lenient(document, view)
        show(warnings, [document])
        if old.unread:
            names = ", ".join(sorted(old.unread)[:5])
            terminal.say(
                f"{document.name}: not compared, as they cannot be read: {names}",
                err=True,
            )
        new = Side(one.catalogue, one.document, view(one.catalogue).languages)
        yield one, Comparison(old, new)


def _document(
    one: Loaded, against: str, against_path: pathlib.Path | None
) -> Document | None:
    """Read what a catalogue was; None where it is not among what the commit has."""
    from .. import git, source

    file = pathlib.Path(against)
    if file.is_file():
        name = file.as_posix()
        return source.read(file, f"{name}@base" if name == one.entry.name else name)
    base = git.base(one.entry.spec, against)
    raw = base.read(against_path or one.entry.spec)
    if raw is None:
        if against_path:
            raise UsageError(f"{against} has no file {against_path.as_posix()!r}")
        return None
    return source.decode(raw, f"{one.entry.name}@{against}")


def _unused(project: Project, used: set[Any]) -> Iterator[Diagnostic]:
    for allowance in project.config.allowances:
        if allowance.path not in used:
            assert project.config.document is not None
            on = f" on {allowance.name}" if allowance.name else ""
            yield Diagnostic(
                "unused-allowance",
                f"nothing here is {allowance.rule}{on}",
                project.config.document.name,
                allowance.path,
                mend="take it out",
                severity="warning",
            )


def _tell(
    found: Sequence[Diagnostic], documents: Sequence[Document], against: str
) -> int:
    """Show the findings, as validate does, and return the exit code."""
    show(found, documents)
    errors = sum(d.severity == "error" for d in found)
    if not errors:
        terminal.say(f"nothing breaks against {against}")
    return int(errors > 0)
