"""docs/catalogue.md is true: its parts of catalogues compile, and its errspec.yaml works."""

from __future__ import annotations

import pathlib

from documents import block, shop
from support import compile_files, errspec, run, write

PAGE = "docs/catalogue.md"


def test_the_larger_catalogue_compiles(tmp_path: pathlib.Path) -> None:
    """Its classes, constants and context are as the format has them."""
    head = shop().partition("groups:")[0]
    spec = tmp_path / "shop.yaml"
    part = block(PAGE, "yaml", "# a part of a larger catalogue\ncontext:")
    spec.write_text(head + part, encoding="utf-8")
    compile_files(spec, "python", "markdown", "json")


def test_the_classification_does_what_it_says(
    tmp_path: pathlib.Path,
) -> None:
    """Its catalogue compiles, and its lines give what their comments say."""
    head = shop().partition("groups:")[0]
    spec = tmp_path / "shop.yaml"
    part = block(PAGE, "yaml", "# a part of a larger catalogue\nattributes:")
    spec.write_text(head + part, encoding="utf-8")
    [package] = compile_files(spec, "python")
    root = write(package, tmp_path)
    script = []
    for line in block(
        PAGE, "python", "from shop_errors import CardBadError"
    ).splitlines():
        code, mark, said = line.partition("# ")
        script.append(f"assert {code.strip()} == {said}" if mark else code)
    assert sum(line.startswith("assert ") for line in script) == 2
    done = run("python", "-c", "\n".join(script), cwd=tmp_path, PYTHONPATH=str(root))
    assert done.stderr == ""


def test_the_config_is_valid(tmp_path: pathlib.Path) -> None:
    """The errspec.yaml that it shows works beside the catalogue that it shows."""
    (tmp_path / "spec").mkdir()
    (tmp_path / "my-packs").mkdir()
    catalogue = shop()
    (tmp_path / "spec/shop.yaml").write_text(catalogue, encoding="utf-8")
    config = block(PAGE, "yaml", "errspec: 1")
    (tmp_path / "errspec.yaml").write_text(config, encoding="utf-8")
    page = "<!-- errspec:begin table -->\n<!-- errspec:end -->\n"
    (tmp_path / "README.md").write_text(page, encoding="utf-8")
    assert errspec("generate", cwd=tmp_path).returncode == 0
    assert errspec("check", cwd=tmp_path).returncode == 0
