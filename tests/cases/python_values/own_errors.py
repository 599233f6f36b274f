"""What a user of sink_errors may write: subclasses with other constructors."""

from sink_errors import BudgetError, HTTPConnectError, SinkError, StorageError


class ManyArguments(StorageError):
    def __init__(self, path, line, *, when):
        super().__init__("storage_corrupt", f"{path} is broken", path=path, line=line)
        self.when = when


class NoArguments(SinkError):
    def __init__(self):
        super().__init__("MINE", "it is mine", True)


class KeywordOnly(BudgetError):
    def __init__(self, *, who):
        super().__init__(agent=who, tokens_used=2)


class TwoParents(HTTPConnectError, ConnectionError):
    def __init__(self, host, tries):
        super().__init__(f"no {host}", status=503)
        self.tries = tries


class OwnArguments(SinkError):
    def __init__(self, first, second):
        super().__init__("MINE", "it is mine")
        self.args = (first, second)


def made(name):
    return {
        "ManyArguments": lambda: ManyArguments("x", 3, when=(1, 2)),
        "NoArguments": NoArguments,
        "KeywordOnly": lambda: KeywordOnly(who="me"),
        "TwoParents": lambda: TwoParents("host", 3),
        "OwnArguments": lambda: OwnArguments("one", 2),
    }[name]()


def echo(error):
    return error


def fail(error):
    raise error
