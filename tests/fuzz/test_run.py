"""What `make fuzz` makes of the environment."""

from __future__ import annotations

import pathlib
import sys

import pytest

from support import run

RUN = pathlib.Path(__file__).with_name("run.py")


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("COUNT", "abc"),
        ("COUNT", "0"),
        ("COUNT", "-3"),
        ("SECONDS", "0"),
        ("SEED", "x"),
    ],
)
def test_what_is_no_number_is_told(name: str, given: str) -> None:
    """A count that means nothing draws nothing."""
    done = run(sys.executable, RUN, cwd=None, **{name: given})
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"{name}={given}: must be a whole number")


def test_so_many_are_drawn_as_are_asked_for() -> None:
    """A round ends early where the count is reached."""
    done = run(sys.executable, RUN, COUNT="3", SEED="1", SECONDS="")
    assert "       3 catalogues drawn\n" in done.stdout, done
