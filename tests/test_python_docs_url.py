"""The page of an error, as the error itself tells it."""

from __future__ import annotations

import copy
import pickle
from types import ModuleType

import pytest

from test_python_values import MADE

PAGE = "https://example.org/errors#"
KINDS = [kind for kind in MADE if kind.islower()]  # the others are classes of a user's


@pytest.mark.parametrize("kind", KINDS)
def test_an_error_tells_the_page_of_its_code(kind: str, sink: ModuleType) -> None:
    """Errors of every shape have it, of whichever spelling, and of no code of the
    catalogue none; it is what CODES says."""
    error = MADE[kind](sink)
    info = sink.lookup(getattr(error, "code", ""))
    assert error.docs_url == (info and info.docs_url)
    assert (error.docs_url or PAGE).startswith(PAGE)


@pytest.mark.parametrize("kind", KINDS)
def test_the_page_is_no_part_of_an_error(kind: str, sink: ModuleType) -> None:
    """E1, E3: it is looked up when it is asked for, so that no error holds it, shows it,
    or carries it to another process."""
    error = MADE[kind](sink)
    before = repr(error), str(error), dict(vars(error))
    page = error.docs_url
    assert (repr(error), str(error), dict(vars(error))) == before
    assert "docs_url" not in before[2] and PAGE not in before[0]
    for twin in pickle.loads(pickle.dumps(error)), copy.deepcopy(error):
        assert twin.docs_url == page


@pytest.mark.parametrize(
    ("code", "page"),
    [
        ("node_timeout", "node_timeout"),
        ("timeout_of_node", "node_timeout"),
        ("POLICY_DENY", "POLICY_DENIED"),
        ("auth", None),
        ("NOWHERE", None),
    ],
)
def test_the_page_is_that_of_the_key(
    code: str, page: str | None, sink: ModuleType
) -> None:
    """Aliases and other spellings lead to it; an internal code is left out of the docs,
    and so has no page."""
    assert sink.SinkError(code, "m").docs_url == (page and PAGE + page)


def test_without_pages_there_is_none(agent: ModuleType) -> None:
    """Where the catalogue has no docs_url the attribute is there all the same."""
    assert agent.PolicyDeniedError("m").docs_url is None
    with pytest.raises(AttributeError):
        agent.PolicyDeniedError("m").docs_url = "x"
