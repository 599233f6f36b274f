"""The command line. The only room that prints, and that decides an exit code.

0: fine. 1: findings or drift. 2: the job could not be done. Results go to stdout,
messages to stderr.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from .. import __version__, terminal
from ..diagnostics import ErrspecError, Findings
from . import catalogues, compat, files, rules, setup
from .session import Session, asked_by


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, "-V", "--version", message="errspec %(version)s")
@click.option(
    "--debug", is_flag=True, help="Show a traceback where errspec itself fails."
)
def cli(debug: bool) -> None:
    """Compile a YAML catalogue of error codes into error modules and docs.

    Without SPEC a command works on what the nearest errspec.yaml upward names.
    """


for command in (
    catalogues.validate,
    files.generate,
    files.check,
    files.inject,
    compat.breaking,
    compat.diff,
    catalogues.list_codes,
    catalogues.explain_code,
    rules.list_rules,
    setup.targets,
    setup.schema,
    setup.init,
):
    cli.add_command(command)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run errspec and exit."""
    terminal.prepare()
    args = list(sys.argv[1:] if arguments is None else arguments)
    sys.exit(attempt(args))


def attempt(args: list[str]) -> int:
    """Run one command, tell all that is to be told, and return the exit code."""
    session = Session()
    try:
        return _finished(session, args)
    except ErrspecError as error:  # while telling
        _complain(str(error))
        return error.exit_code


def _finished(session: Session, args: list[str]) -> int:
    """Run the command, and tell also what stopped it."""
    try:
        status = int(cli.main(args, "errspec", standalone_mode=False, obj=session) or 0)
        terminal.finish()
        return status
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.ClickException as error:
        terminal.show(error)
        asked_by(error, args, session)
        session.fail(error.format_message())
        return 2
    except (click.Abort, KeyboardInterrupt):
        terminal.say("errspec: interrupted", err=True)
        return 130
    except Findings as found:
        session.keep(found.diagnostics, found.documents)
        session.tell(found.exit_code)
        return found.exit_code
    except ErrspecError as error:
        session.fail(str(error))
        _complain(str(error))
        return error.exit_code
    except Exception as error:
        if "--debug" in args:
            raise
        if isinstance(error, OSError) and error.filename is None:  # click's own words
            _complain(str(terminal.unwritable(error)))
            return 2
        said = f"internal error: {type(error).__name__}: {error}"
        hint = "  this is a fault of errspec's; --debug before the command shows where"
        session.fail(said)
        _complain(f"{said}\n{hint}")
        return 2


def _complain(message: str) -> None:
    for line in f"errspec: {message}".split("\n"):
        terminal.say(line, err=True)
