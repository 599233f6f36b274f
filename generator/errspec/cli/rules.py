"""The command about rules: which there are, and what one of them is for."""

from __future__ import annotations

import click

from .. import terminal


@click.command(name="rules")
@click.argument("id", required=False)
def list_rules(id: str | None) -> int:
    """List the rules that validate runs, or explain one.

    With the ID of a rule: why it is there, a bad and a good example, and how to
    switch it off or to ignore it in one entry.
    """
    from .. import rulebook

    for line in rulebook.listing() if id is None else rulebook.explained(id):
        terminal.say(line)
    return 0
