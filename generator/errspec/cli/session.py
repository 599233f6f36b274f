"""What a run is asked for and has found, and how it is told, in every format."""

from __future__ import annotations

import os
import pathlib
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from click.shell_completion import CompletionItem

from .. import terminal

if TYPE_CHECKING:  # what a command needs is imported when it runs: --help stays quick
    from ..diagnostics import Diagnostic
    from ..formats import Finding, Names
    from ..source import Document

FORMATS = ("text", "json", "github", "sarif")


class Output(NamedTuple):
    """A format, and the file that it goes to; None is stderr for text, else stdout."""

    format: str
    path: pathlib.Path | None = None


class Session:
    """A run of the command line, from its arguments to what is told at its end."""

    def __init__(self) -> None:
        self.outputs: Sequence[Output] = (Output("text"),)
        self.command = ""
        self.root = pathlib.Path()
        self.files: Mapping[str, pathlib.Path] = {}
        """The files of documents that are not named by their paths from here."""
        self.found: list[Diagnostic] = []
        self.documents: list[Document] = []
        self._shown = False

    def keep(
        self, found: Iterable[Diagnostic], documents: Iterable[Document] = ()
    ) -> None:
        """Keep what was found, to tell all at the end, however the run ends."""
        self.found += found
        self.documents += documents

    def names(self) -> Names:
        """Return how documents are named in formats that programs read."""
        from ..formats import Names

        return Names(self.files, self.root)

    def tell(
        self,
        exit_code: int,
        results: Sequence[str] = (),
        *,
        more: Iterable[Finding] = (),
        failure: str | None = None,
        baselines: Mapping[str, str] = {},
        purposes: Mapping[str, str] = {},
    ) -> None:
        """Tell what was found and the results, in all formats that were asked for.

        `results` are lines for people. `more` are findings beside the diagnostics, of
        which `results` speak. Raises OutputError where something cannot be written.
        """
        if Output("text") in self.outputs and not self._shown:
            self._shown = True
            # A result goes to stdout, unless a program is to read that.
            taken = any(format != "text" and not path for format, path in self.outputs)
            show(self.found, self.documents)
            for line in results:
                terminal.say(line, err=taken)
        others = [output for output in self.outputs if output != Output("text")]
        if not others:
            return
        from ..diagnostics import OutputError
        from ..formats import FORMATS, Report, findings

        found = findings(self.found, self.documents, self.names(), baselines)
        report = Report(
            self.command, exit_code, [*found, *more], failure, dict(purposes)
        )
        lines = [*results, *(failure.split("\n") if failure else ())]
        faults: list[OutputError] = []
        for format, path in sorted(others, key=lambda output: output.path is None):
            if path is None:  # the last one: it tells also what a file refused
                if not faults or failure:
                    terminal.write(FORMATS[format](report))
                continue
            try:
                write = FORMATS.get(format)
                self._write(path, write(report) if write else self._text(lines))
            except OutputError as error:
                faults.append(error)
        if faults:
            raise faults[0]

    def _text(self, results: Sequence[str]) -> str:
        """Return what people are told, for a file."""
        from .. import report, source

        plain = terminal.style(None)
        lines = [*report.diagnostics(self.found, self.documents, plain)]
        lines += map(source.visible, results)
        return "".join(f"{line}\n" for line in lines)

    def _write(self, path: pathlib.Path, text: str) -> None:
        from .. import disk
        from ..diagnostics import OutputError

        file = pathlib.Path(os.path.realpath(path))
        if file in {pathlib.Path(os.path.realpath(f)) for f in self.files.values()}:
            raise OutputError(f"{path.as_posix()}: this is a catalogue or a page")
        if file.name == "errspec.yaml":
            raise OutputError(f"{path.as_posix()}: this is a project's file")
        if path.exists() and not path.is_file():  # a pipe or a device stays what it is
            with disk.blaming(path):
                path.write_text(text, encoding="utf-8", newline="\n")
            return
        disk.write(path, file, text)

    def fail(self, message: str) -> None:
        """Tell what was found until the job could not be done, and programs why.

        Whatever cannot be written now is nobody's to know.
        """
        from ..diagnostics import OutputError

        with suppress(OutputError):
            self.tell(2, failure=message)


def show(diagnostics: Sequence[Any], documents: Sequence[Any]) -> None:
    """Tell people what was found, on stderr."""
    from .. import report

    for line in report.diagnostics(diagnostics, documents, terminal.style(sys.stderr)):
        terminal.put(line, err=True)


def _output(text: str) -> Output:
    """Return what FORMAT or FORMAT=PATH asks for."""
    name, has_path, path = text.partition("=")
    if name not in FORMATS:
        raise click.BadParameter(f"no format {name!r}; there are {', '.join(FORMATS)}")
    if not has_path:
        return Output(name)
    file = pathlib.Path(path)
    if not path or file.is_dir():
        raise click.BadParameter(f"{text!r} names no file")
    if file.suffix in (".yaml", ".yml"):  # most likely a catalogue, which would be lost
        raise click.BadParameter(f"{text!r}: no report goes over a file of YAML")
    if not file.parent.is_dir():
        folder = file.parent.as_posix()
        raise click.BadParameter(f"there is no folder {folder!r}; make it first")
    return Output(name, file)


def _ask(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> None:
    """Learn what the command line asks for; each format needs a place of its own."""
    outputs = tuple(map(_output, values))
    taken: dict[str, str] = {}
    for format, path in outputs:
        usual = "stderr" if format == "text" else "stdout"
        place = os.path.realpath(path) if path else usual
        if place in taken:
            raise click.BadParameter(
                f"{taken[place]} and {format} both go to {path or usual};"
                f" give one a file: {format}=PATH"
            )
        taken[place] = format
    if session := ctx.find_object(Session):
        session.command = session.command or ctx.info_name or ""
        session.outputs = outputs or session.outputs


def _complete(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    return [CompletionItem(f) for f in FORMATS if f.startswith(incomplete)]


FORMAT = click.option(
    "--format",
    "formats",
    multiple=True,
    metavar=f"[{'|'.join(FORMATS)}][=PATH]",
    callback=_ask,
    shell_complete=_complete,
    is_eager=True,  # what is wrong with the other arguments is told in it, too
    expose_value=False,
    help="How findings are told: text on stderr (the default), others on stdout, "
    "or into the file PATH. Repeatable.",
)


def asked_by(
    error: click.ClickException, args: Sequence[str], session: Session
) -> None:
    """Learn the formats of a command line that click could not read to its end."""
    ctx = error.ctx if isinstance(error, click.UsageError) else None
    options = [p for p in ctx.command.params if p.name == "formats"] if ctx else []
    if ctx is None or not options:
        return
    probe = click.Command(
        ctx.info_name,
        params=list(options),
        add_help_option=False,
        context_settings={"ignore_unknown_options": True, "allow_extra_args": True},
    )
    with suppress(click.ClickException):
        probe.make_context(ctx.info_name, list(args), obj=session)
