"""The site of a project: an index of its catalogues, each one's page and its data."""

from __future__ import annotations

from collections.abc import Sequence

from . import manifest, resources
from .diagnostics import UsageError
from .output import Package
from .project import Loaded, Project

PAGE, DATA = "html", "json"
"""The packs whose files make a catalogue's folder of the site."""


def packages(project: Project, loaded: Sequence[Loaded]) -> list[Package]:
    """Render the site: a folder for each catalogue, and what stands above them.

    PackFault where a pack fails, UsageError where a project's own packs have no index,
    or write one file both.
    """
    found = []
    for one in loaded:
        files: dict[str, str] = {}
        for _, package in project.packages(
            [one], (PAGE, DATA), {"home": "../index.html"}
        ):
            for fault in manifest.clashes([*files, *package.files]):
                raise UsageError(f"the packs {PAGE} and {DATA} share a folder: {fault}")
            files |= package.files
        found.append(Package(one.catalogue.id, files))
    schema = resources.folder("spec") / "catalogue.schema.json"
    top = {
        "index.html": project.index(
            loaded, PAGE, {package.folder: package.files.keys() for package in found}
        ),
        schema.name: schema.read_text(encoding="utf-8"),
    }
    return [Package("", top), *found]
