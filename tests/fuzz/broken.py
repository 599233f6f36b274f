"""A stream of broken catalogues and configurations, each with a command to run."""

from __future__ import annotations

import pathlib
import random
from collections.abc import Iterator, Sequence

from fuzz.aimed import mutants
from fuzz.mutations import Mutant
from support import CASES, ROOT

SHOP = CASES / "commands" / "explain" / "input" / "shop.yaml"
CONFIG = """
errspec: 1
out: generated
catalogues:
  - spec: shop.yaml
    targets: [python, typescript, markdown, json]
    options: {typescript: {scope: "@acme"}, markdown: {columns: [code, meaning]}}
rules: {meaning-full-stop: off, bidi-text: warning}
""".lstrip()
COMMANDS = [["validate"]] * 5 + [["generate", "--dry-run"], ["list"]]

Job = tuple[Mutant, pathlib.Path, list[str]]
"""A mutant, the file that it goes into, and the command."""


def catalogues() -> list[str]:
    """Return the catalogues of this repository, those with placeholders left out."""
    files = [ROOT / "spec" / "agent.yaml", *(CASES / "catalogues").glob("*.yaml"), SHOP]
    texts = (file.read_text(encoding="utf-8") for file in sorted(files))
    return [text for text in texts if "<x>" not in text]


def jobs(texts: Sequence[str], folder: pathlib.Path, seed: int) -> Iterator[Job]:
    """Break catalogues in turn, and a configuration, without end."""
    project = folder / "project"
    project.mkdir(parents=True, exist_ok=True)
    (project / "shop.yaml").write_bytes(SHOP.read_bytes())
    rng = random.Random(seed)
    streams = [(mutants(text, rng), folder / "mutant.yaml") for text in texts]
    config = project / "errspec.yaml"
    streams.append((mutants(CONFIG, rng, aim=False), config))
    while True:
        for stream, file in streams:
            command = rng.choice(COMMANDS)
            yield next(stream), file, command + [file.name] * (file != config)
