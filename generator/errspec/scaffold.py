"""`errspec init`: a small catalogue and an errspec.yaml that work at once."""

from __future__ import annotations

import pathlib
import re

from . import resources
from .diagnostics import OutputError, UsageError
from .naming import cased

_ID = re.compile(r"[a-z][a-z0-9]*([_-][a-z0-9]+)*")

_CONFIG = """\
errspec: 1
out: generated
catalogues:
  - spec: spec/{id}.yaml
"""

_CATALOGUE = """\
# yaml-language-server: $schema=catalogue.schema.json
errspec: 1
id: {id}
title: {title} errors
version: 0.1.0
languages: [python, typescript]
base_class: {base}Error

groups:
  requests: {{title: Requests}}
  service: {{title: The service}}

codes:
  NOT_FOUND:
    group: requests
    meaning: Nothing is stored under this id.
    retryable: false              # true | false | unset, or rules as below
    http: 404

  RATE_LIMITED:
    group: requests
    meaning: Too many calls in too short a time.
    hint: wait as long as `retry_after` says
    fields:
      retry_after: {{type: retry_after, optional: true}}
    retryable: true
    http: 429

  UPSTREAM_FAILED:
    group: service
    meaning: A service behind this one failed or could not be reached.
    fields:
      status: {{type: http_status, optional: true}}
    retryable:
      rules:                      # the first that matches wins
        - {{when: {{status: 4xx}}, then: false, hint: mend the request}}
      else: true
    http: 502
"""


def write(folder: pathlib.Path, name: str) -> list[pathlib.Path]:
    """Write the files of a new project and return their paths.

    UsageError for a bad id, or where one of the files is there already: then nothing
    is written. OutputError where the disk refuses.
    """
    if not _ID.fullmatch(name):
        raise UsageError(f"an id is lower-case words joined by - or _, not {name!r}")
    schema = resources.folder("spec") / "catalogue.schema.json"
    title = cased(name, "snake").replace("_", " ").capitalize()
    values = {"id": name, "title": title, "base": cased(name, "pascal")}
    texts = {
        folder / "errspec.yaml": _CONFIG.format(**values),
        folder / "spec" / f"{name}.yaml": _CATALOGUE.format(**values),
        folder / "spec" / schema.name: schema.read_text(encoding="utf-8"),
    }
    for path in texts:
        if path.exists():
            raise UsageError(f"{path.as_posix()} is there already; nothing was written")
    for path, text in texts.items():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
        except OSError as error:
            raise OutputError(f"{path.as_posix()}: {error.strerror}") from None
    return list(texts)
