"""The README is true: its catalogue compiles, and the code does what it says."""

from __future__ import annotations

import json
import pathlib
import re
import sys

from markdown_it import MarkdownIt

from javascript import generate, run_node
from rust import crate, for_rust, run_tests, workspace
from serving import serving
from support import ROOT, compile_files, errspec, run, write

TOKENS = MarkdownIt("gfm-like").parse((ROOT / "README.md").read_text(encoding="utf-8"))


CATALOGUE = "# yaml-language-server"


def _block(language: str, start: str = "") -> str:
    """Return the first fenced block of a language that starts so."""
    return next(
        t.content
        for t in TOKENS
        if t.type == "fence" and t.info == language and t.content.startswith(start)
    )


def test_the_catalogue_of_the_readme_compiles_and_its_python_runs(
    tmp_path: pathlib.Path,
) -> None:
    """Each line with a comment gives what the comment says."""
    spec = tmp_path / "shop.yaml"
    spec.write_text(_block("yaml", CATALOGUE), encoding="utf-8")
    [package] = compile_files(spec, "python")
    root = write(package, tmp_path)
    script = []
    for line in _block("python").splitlines():
        code, _, said = line.partition("# ")
        shown = re.match(r"None|True|False|'[^']*'(?=[:;]|$)", said)
        if shown and not code.startswith(" ") and "import" not in code:
            script.append(f"assert ({code.strip()}) == {shown[0]}, {code.strip()!r}")
        else:
            script.append(line)
    assert sum(line.startswith("assert") for line in script) >= 6
    done = run("python", "-c", "\n".join(script), cwd=tmp_path, PYTHONPATH=str(root))
    assert done.stdout == "PAYMENT_FAILED True\n", done.stderr


def test_the_retry_of_the_readme_does_what_it_says(tmp_path: pathlib.Path) -> None:
    """With the section that it shows, the function that it wraps is called again."""
    spec = tmp_path / "shop.yaml"
    spec.write_text(_block("yaml", CATALOGUE) + _block("yaml", "retry:"), "utf-8")
    [package] = compile_files(spec, "python")
    root = write(package, tmp_path)
    *lines, last = _block(
        "python", "from shop_errors import PaymentFailedError\n"
    ).split("\n")[:-1]
    assert last.startswith("pay()") and "# 'paid':" in last
    script = "\n".join([*lines, f"print({last.partition('#')[0].strip()})"])
    done = run("python", "-c", script, cwd=tmp_path, PYTHONPATH=str(root))
    assert (done.stdout, done.returncode) == ("paid\n", 0), done.stderr


def test_the_typescript_retry_of_the_readme_does_what_it_says(
    tmp_path: pathlib.Path, node_tools: pathlib.Path
) -> None:
    """The compiler accepts it, and the function that it wraps is called again."""
    spec = _block("yaml", CATALOGUE) + _block("yaml", "retry:")
    module = tmp_path / "node_modules" / "shop-errors"
    module.parent.mkdir()
    generate(spec, tmp_path, "shop").rename(module)
    *lines, last = _block("ts", "import { PaymentFailedError }").split("\n")[:-1]
    assert last.startswith("await pay();") and '// "paid":' in last
    script = "\n".join([*lines, f"console.log({last.partition(';')[0]});"])
    about = {"type": "module"}
    (tmp_path / "package.json").write_text(json.dumps(about), encoding="utf-8")
    (tmp_path / "use.ts").write_text(script, encoding="utf-8")
    flags = ("--strict", "--target", "es2022", "--module", "nodenext")
    tsc = node_tools / "typescript/bin/tsc"
    assert run_node(tsc, *flags, tmp_path / "use.ts") == ""
    assert run_node(tmp_path / "use.js") == "paid\n"


def test_the_gateway_of_the_readme_serves_its_clients(
    tmp_path: pathlib.Path, node_tools: pathlib.Path
) -> None:
    """An error that it raises is there again in Python and in TypeScript."""
    spec = tmp_path / "shop.yaml"
    spec.write_text(_block("yaml", CATALOGUE), encoding="utf-8")
    [package] = compile_files(spec, "python")
    path = f"{write(package, tmp_path)}:{ROOT / 'tests'}"
    app = _block("python", "from fastapi import")
    client = _block("python", "import httpx")
    browser = _block(
        "ts", 'import { isCode } from "shop-errors";\nimport { fromResponse'
    )
    assert len([*app.splitlines(), *client.splitlines()]) <= 21
    start = "from serving import run_app\nrun_app(app)\n"
    (tmp_path / "gateway.py").write_text(f"{app}\n{start}", encoding="utf-8")
    module = tmp_path / "node_modules" / "shop-errors"
    module.parent.mkdir()
    generate(_block("yaml", CATALOGUE), tmp_path, "shop").rename(module)
    (tmp_path / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    with serving(str(tmp_path / "gateway.py"), PYTHONPATH=path) as url:
        script = client.replace("http://127.0.0.1:8000", url)
        done = run(sys.executable, "-c", script, cwd=tmp_path, PYTHONPATH=path)
        assert (done.stdout, done.stderr) == ("tea False\n", "")
        script = browser.replace("http://127.0.0.1:8000", url)
        (tmp_path / "use.ts").write_text(script, encoding="utf-8")
        flags = ("--strict", "--target", "es2022", "--module", "nodenext")
        tsc = node_tools / "typescript/bin/tsc"
        assert run_node(tsc, *flags, tmp_path / "use.ts") == ""
        assert run_node(tmp_path / "use.js") == "tea false\n"


def test_the_typescript_of_the_readme_compiles_and_runs(
    tmp_path: pathlib.Path, node_tools: pathlib.Path
) -> None:
    """The compiler accepts it, and each line with a comment gives what that says."""
    module = tmp_path / "node_modules" / "shop-errors"
    module.parent.mkdir()
    generate(_block("yaml", CATALOGUE), tmp_path, "shop").rename(module)
    lines = _block("ts").splitlines()
    script = []
    for line in lines:
        code, _, said = line.partition("// ")
        shown = re.match(r"undefined|true|false|\"[^\"]*\"", said)
        if shown and not code.startswith(" "):
            asked = code.strip().removesuffix(";")
            script.append(f"if (({asked}) !== {shown[0]}) throw new Error({asked!r});")
        else:
            script.append(line)
    assert sum("throw new Error(" in line for line in script) == 7
    about = {"type": "module"}
    (tmp_path / "package.json").write_text(json.dumps(about), encoding="utf-8")
    (tmp_path / "use.ts").write_text("\n".join(script), encoding="utf-8")
    flags = ("--strict", "--target", "es2022", "--module", "nodenext")
    tsc = node_tools / "typescript/bin/tsc"
    assert run_node(tsc, *flags, tmp_path / "use.ts") == ""
    assert run_node(tmp_path / "use.js") == "PAYMENT_ERROR 503 true\n"


def test_the_rust_of_the_readme_compiles_and_holds(tmp_path: pathlib.Path) -> None:
    """Every assertion of the block is true of the crate of its catalogue."""
    shop = crate(for_rust(_block("yaml", CATALOGUE)), tmp_path)
    block = _block("rust")
    assert block.count("assert") == 8
    use = f"#[test]\nfn readme() {{\n{block}}}\n"
    folder = workspace(tmp_path, {shop.name: shop}, {shop.name: {"readme": use}})
    assert run_tests(folder) == {}


def test_the_readme_shows_what_init_writes(tmp_path: pathlib.Path) -> None:
    """Who follows it has the same file before the eyes."""
    assert errspec("init", "--id", "shop", cwd=tmp_path).returncode == 0
    written = (tmp_path / "spec/shop.yaml").read_text("utf-8")
    assert written == _block("yaml", CATALOGUE)


def test_the_second_catalogue_of_the_readme_compiles(tmp_path: pathlib.Path) -> None:
    """Its classes, constants and context are as the format has them."""
    head = _block("yaml", CATALOGUE).partition("groups:")[0]
    spec = tmp_path / "shop.yaml"
    part = _block("yaml", "# a part of a larger catalogue\ncontext:")
    spec.write_text(head + part, encoding="utf-8")
    compile_files(spec, "python", "markdown", "json")


def test_the_classification_of_the_readme_does_what_it_says(
    tmp_path: pathlib.Path,
) -> None:
    """Its catalogue compiles, and its lines give what their comments say."""
    head = _block("yaml", CATALOGUE).partition("groups:")[0]
    spec = tmp_path / "shop.yaml"
    part = _block("yaml", "# a part of a larger catalogue\nattributes:")
    spec.write_text(head + part, encoding="utf-8")
    [package] = compile_files(spec, "python")
    root = write(package, tmp_path)
    script = []
    for line in _block("python", "from shop_errors import CardBadError").splitlines():
        code, mark, said = line.partition("# ")
        script.append(f"assert {code.strip()} == {said}" if mark else code)
    assert sum(line.startswith("assert ") for line in script) == 2
    done = run("python", "-c", "\n".join(script), cwd=tmp_path, PYTHONPATH=str(root))
    assert done.stderr == ""


def test_the_config_of_the_readme_is_valid(tmp_path: pathlib.Path) -> None:
    """The errspec.yaml that it shows works beside the catalogue that it shows."""
    (tmp_path / "spec").mkdir()
    (tmp_path / "my-packs").mkdir()
    catalogue = _block("yaml", CATALOGUE)
    (tmp_path / "spec/shop.yaml").write_text(catalogue, encoding="utf-8")
    config = _block("yaml", "errspec: 1")
    (tmp_path / "errspec.yaml").write_text(config, encoding="utf-8")
    page = "<!-- errspec:begin table -->\n<!-- errspec:end -->\n"
    (tmp_path / "README.md").write_text(page, encoding="utf-8")
    assert errspec("generate", cwd=tmp_path).returncode == 0
    assert errspec("check", cwd=tmp_path).returncode == 0


def test_the_finding_of_the_readme_is_what_breaking_says(
    tmp_path: pathlib.Path,
) -> None:
    """The catalogue that it shows, with a verdict flipped; and the allowance is valid."""
    catalogue = _block("yaml", CATALOGUE)
    shown = _block("", "spec/shop.yaml:17:16: error[verdict-flipped]")
    (tmp_path / "spec").mkdir()
    spec = tmp_path / "spec/shop.yaml"
    spec.write_text(catalogue.replace("false  ", "true  ", 1), encoding="utf-8")
    name = "spec/shop.yaml@main..."
    old = tmp_path / name
    old.parent.mkdir(exist_ok=True)
    old.write_text(catalogue, encoding="utf-8")
    allowed = _block("yaml", "# a part of errspec.yaml\nbreaking_allow")
    config = f"errspec: 1\ncatalogues: [{{spec: spec/shop.yaml}}]\n{allowed}"
    (tmp_path / "errspec.yaml").write_text(config, encoding="utf-8")
    done = errspec("breaking", "spec/shop.yaml", "--against", name, cwd=tmp_path)
    told = re.sub(r" +# true \|.*", "", done.stderr)
    assert done.returncode == 1 and told == f"{shown}1 error\n", done


def test_the_readme_names_every_command_and_no_other() -> None:
    """What --help lists is what the README lists."""
    shown = errspec("--help").stdout.partition("Commands:")[2]
    commands = re.findall(r"^  (\w+)  ", shown, re.MULTILINE)
    listed = re.findall(
        r"^errspec (\w+) ", _block("", "errspec validate"), re.MULTILINE
    )
    assert sorted(commands) == sorted(listed)
