"""Finds the templates of a pack in its folder and nowhere else."""

from __future__ import annotations

import os
import pathlib
from collections.abc import Callable

import jinja2
import jinja2.loaders

MAX_TEMPLATES = 2**18
"""Bytes of all templates of a pack: compiling takes time and memory that is not metered."""


_KIB = MAX_TEMPLATES >> 10


class TooLargeError(jinja2.TemplateSyntaxError):
    """The templates of a pack are too large to be compiled."""


class EncodingError(jinja2.TemplateSyntaxError):
    """A template is not UTF-8."""


class Loader(jinja2.BaseLoader):
    """Reads templates as UTF-8, wherever their lines end; no link leads out."""

    def __init__(self, folder: pathlib.Path) -> None:
        self._folder = folder
        self.sizes: dict[str, int] = {}

    def get_source(
        self, environment: jinja2.Environment, template: str
    ) -> tuple[str, str, Callable[[], bool]]:
        """Return a template's text and file. TemplateNotFound says what is wrong."""
        try:
            parts = jinja2.loaders.split_template_path(template)
        except jinja2.TemplateNotFound:
            fault = f"{template!r} leads out of the pack's folder"
            raise jinja2.TemplateNotFound(template, fault) from None
        path = self._folder.joinpath(*parts)
        try:
            text = self._read(path).decode().removeprefix("\ufeff")
        except OSError as error:
            fault = f"{template!r} {error.strerror or error}"
            raise jinja2.TemplateNotFound(template, fault) from None
        except UnicodeDecodeError as error:
            data, at = error.object, error.start
            fault = (
                f"not UTF-8 (byte 0x{data[at]:02x} at offset {at}): save it as UTF-8"
            )
            line = data.count(b"\n", 0, at) + 1
            raise EncodingError(fault, line, template, str(path)) from None
        self.sizes[template] = len(text)
        if sum(self.sizes.values()) > MAX_TEMPLATES:
            fault = f"the templates of this pack are larger than {_KIB} KiB"
            raise TooLargeError(fault, 1, template, str(path))
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        return text, str(path), lambda: True

    def _read(self, path: pathlib.Path) -> bytes:
        real = pathlib.Path(os.path.realpath(path))
        if not real.is_relative_to(os.path.realpath(self._folder)):
            raise OSError("is a link that leads out of the pack's folder")
        if real.is_dir():
            raise OSError("is a folder")
        if not real.is_file():  # opening a named pipe would wait for ever
            raise OSError("is not there")
        with real.open("rb") as file:
            data = file.read(MAX_TEMPLATES + 1)
        if len(data) > MAX_TEMPLATES:
            raise OSError(f"is larger than {_KIB} KiB")
        return data
