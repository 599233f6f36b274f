"""Generated Python packages in tests: compiled, imported, and forgotten again."""

from __future__ import annotations

import contextlib
import importlib
import pathlib
import sys
from collections.abc import Iterator
from types import ModuleType

from support import compile_files, forget, write


def generate(spec: pathlib.Path, folder: pathlib.Path) -> pathlib.Path:
    """Compile a catalogue to Python, and return the folder that holds the package."""
    [package] = compile_files(spec, "python")
    return write(package, folder)


@contextlib.contextmanager
def imported(root: pathlib.Path) -> Iterator[ModuleType]:
    """Import the generated package in a folder, beside a copy that may be there already.

    Afterwards the modules are what they were: the copy, or nothing.
    """
    [marker] = root.glob("*/py.typed")
    name = marker.parent.name
    before = {
        key: module
        for key, module in sys.modules.items()
        if key == name or key.startswith(f"{name}.")
    }
    forget(name)
    sys.path.insert(0, str(root))
    importlib.invalidate_caches()
    try:
        yield importlib.import_module(name)
    finally:
        sys.path.remove(str(root))
        forget(name)
        sys.modules.update(before)
