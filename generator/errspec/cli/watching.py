"""`generate --watch`: the same command again, whenever what it reads has changed."""

from __future__ import annotations

import gc
import pathlib
import time
from collections.abc import Sequence

import click

from .. import terminal


def again(
    specs: Sequence[pathlib.Path],
    targets: Sequence[str],
    out: pathlib.Path | None,
    dry_run: bool,
    force: bool,
) -> int:
    """Generate, and again at each change, until somebody stops it.

    A round that fails says why, as the command does by itself, and the next one comes.
    """
    from .. import config
    from ..diagnostics import UsageError
    from ..inputs import inputs
    from . import attempt

    file = config.nearest()
    if file is None and not specs:
        config.load(())  # says what is missing
    try:
        from .. import watch
    except ImportError:
        mend = 'pip install "errspec[watch]"'
        raise UsageError(f"--watch needs the package watchfiles: {mend}") from None

    gc.enable()  # off for a short run, which this is not
    debug = click.get_current_context().find_root().params.get("debug")
    args = ["--debug"] * bool(debug) + ["generate"]
    args += [word for target in targets for word in ("--target", target)]
    args += ["--out", str(out)] * (out is not None)
    args += ["--dry-run"] * dry_run + ["--force"] * force
    args += ["--", *map(str, specs)]
    needed = file if file is not None else pathlib.Path(config.FILE)
    for changed in watch.rounds(lambda: inputs(specs, needed)):
        started = time.perf_counter()
        if file is not None and not file.exists():  # never with one further up instead
            terminal.say(f"errspec: {file.as_posix()} is gone", err=True)
            status = 2
        else:
            status = attempt(args)
        if status == 130:
            return status
        did = (
            f"{'failed' if status else 'done'} in {time.perf_counter() - started:.2f} s"
        )
        if changed:
            told = f"{_listed(changed)} changed: {did}"
        else:
            wanted = inputs(specs, needed)
            told = f"{did}; watching {_listed([p for w in wanted for p in w])}"
        terminal.say(f"errspec: {told}", err=True)
    return 0


def _listed(paths: Sequence[pathlib.Path]) -> str:
    """Name a few, and count the rest."""
    names = [path.as_posix() for path in paths]
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return f"{', '.join(names[:3])}{more}"
