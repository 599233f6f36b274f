"""The README is true: its catalogue compiles, and the code does what it says."""

from __future__ import annotations

import json
import os
import pathlib
import re
import sys

from documents import block, fences, shop
from javascript import generate, run_node
from rust import crate, for_rust, run_tests, workspace
from serving import serving
from support import ROOT, compile_files, errspec, need, run, write


def _block(language: str, start: str = "") -> str:
    """Return the first fenced block of the README of a language that starts so."""
    return block("README.md", language, start)


def test_the_catalogue_of_the_readme_compiles_and_its_python_runs(
    tmp_path: pathlib.Path,
) -> None:
    """Each line with a comment gives what the comment says."""
    spec = tmp_path / "shop.yaml"
    spec.write_text(shop(), encoding="utf-8")
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
    assert sum(line.startswith("assert") for line in script) >= 7
    done = run("python", "-c", "\n".join(script), cwd=tmp_path, PYTHONPATH=str(root))
    assert done.stdout == "PAYMENT_FAILED True\n", done.stderr


def test_the_retry_of_the_readme_does_what_it_says(tmp_path: pathlib.Path) -> None:
    """With the section that it shows, the function that it wraps is called again."""
    spec = tmp_path / "shop.yaml"
    spec.write_text(shop() + _block("yaml", "retry:"), "utf-8")
    [package] = compile_files(spec, "python")
    root = write(package, tmp_path)
    *lines, last = _block(
        "python",
        "from shop_errors import PaymentFailedError\nfrom shop_errors.retry",
    ).split("\n")[:-1]
    assert last.startswith("pay()") and "# 'paid':" in last
    script = "\n".join([*lines, f"print({last.partition('#')[0].strip()})"])
    done = run("python", "-c", script, cwd=tmp_path, PYTHONPATH=str(root))
    assert (done.stdout, done.returncode) == ("paid\n", 0), done.stderr


def test_the_typescript_retry_of_the_readme_does_what_it_says(
    tmp_path: pathlib.Path, node_tools: pathlib.Path
) -> None:
    """The compiler accepts it, and the function that it wraps is called again."""
    spec = shop() + _block("yaml", "retry:")
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
    spec.write_text(shop(), encoding="utf-8")
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
    generate(shop(), tmp_path, "shop").rename(module)
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
    generate(shop(), tmp_path, "shop").rename(module)
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
    assert sum("throw new Error(" in line for line in script) == 8
    about = {"type": "module"}
    (tmp_path / "package.json").write_text(json.dumps(about), encoding="utf-8")
    (tmp_path / "use.ts").write_text("\n".join(script), encoding="utf-8")
    flags = ("--strict", "--target", "es2022", "--module", "nodenext")
    tsc = node_tools / "typescript/bin/tsc"
    assert run_node(tsc, *flags, tmp_path / "use.ts") == ""
    assert run_node(tmp_path / "use.js") == "PAYMENT_ERROR 503 true\n"


def test_the_rust_of_the_readme_compiles_and_holds(tmp_path: pathlib.Path) -> None:
    """Every assertion of the block is true of the crate of its catalogue."""
    package = crate(for_rust(shop()), tmp_path)
    block = _block("rust")
    assert block.count("assert") == 8
    use = f"#[test]\nfn readme() {{\n{block}}}\n"
    folder = workspace(
        tmp_path, {package.name: package}, {package.name: {"readme": use}}
    )
    assert run_tests(folder) == {}


def test_the_readme_shows_what_init_writes(tmp_path: pathlib.Path) -> None:
    """Who follows it has the same file before the eyes."""
    assert errspec("init", "--id", "shop", cwd=tmp_path).returncode == 0
    written = (tmp_path / "spec/shop.yaml").read_text("utf-8")
    assert written == shop()


def test_the_page_of_the_readme_is_what_an_error_tells(tmp_path: pathlib.Path) -> None:
    """With the address that it shows, an error tells the page in the comment."""
    shown = [t.content for t in fences("README.md")]
    [page] = [each for each in shown if "\ndocs_url:" in each]
    spec = tmp_path / "shop.yaml"
    spec.write_text(shop() + page, encoding="utf-8")
    [package] = compile_files(spec, "python")
    root = write(package, tmp_path)
    [use] = [each for each in shown if ".docs_url  " in each]
    line = re.search(r"^(error\.docs_url) +# ('.*')$", use, flags=re.M)
    assert line
    script = f"{use}\nassert {line[1]} == {line[2]}"
    done = run("python", "-c", script, cwd=tmp_path, PYTHONPATH=str(root))
    assert done.returncode == 0, done.stderr


def test_the_finding_of_the_readme_is_what_breaking_says(
    tmp_path: pathlib.Path,
) -> None:
    """The catalogue that it shows, with a verdict flipped; and the allowance is valid."""
    catalogue = shop()
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


def test_the_quick_start_of_the_readme_works(tmp_path: pathlib.Path) -> None:
    """In a folder beside the checkout its commands make a project, and node runs it."""
    lines = _block("sh", "git clone").splitlines()
    commands = [line.partition("  #")[0].strip() for line in lines]
    assert commands[:2] == [
        "git clone <this repository> errspec",
        "pip install ./errspec",
    ]
    script = [line for line in commands if line.startswith(("mkdir", "errspec", "npm"))]
    assert len(script) == 5 and commands.index("mkdir shop && cd shop") == 2
    tool = tmp_path / "bin" / "errspec"
    tool.parent.mkdir()
    tool.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m errspec "$@"\n', "utf-8")
    tool.chmod(0o755)
    path = f"{tool.parent}:{pathlib.Path(need('npm')).parent}:{os.environ['PATH']}"
    quiet = {"npm_config_offline": "true", "npm_config_audit": "false"}
    done = run("sh", "-ec", "\n".join(script), cwd=tmp_path, PATH=path, **quiet)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "shop/generated/python/shop/pyproject.toml").is_file()
    use = 'import { lookup } from "shop-errors";\nconsole.log(lookup("OUT_OF_STOCK").http);'
    (tmp_path / "shop" / "use.js").write_text(use, encoding="utf-8")
    assert run_node(tmp_path / "shop" / "use.js") == "409\n"


def test_init_in_the_checkout_is_refused() -> None:
    """So the quick start of the README makes a folder beside it."""
    done = errspec("init", "--id", "shop", cwd=ROOT)
    assert done.returncode == 2 and "nothing was written" in done.stderr


def test_the_config_and_the_region_of_the_readme_work(tmp_path: pathlib.Path) -> None:
    """Its errspec.yaml is valid, and with its list a page with its markers is guarded."""
    (tmp_path / "spec").mkdir()
    (tmp_path / "spec/shop.yaml").write_text(shop(), encoding="utf-8")
    config = _block("yaml", "# errspec.yaml\n")
    listed = _block("yaml", "# a part of errspec.yaml\ninject")
    (tmp_path / "errspec.yaml").write_text(config + listed, encoding="utf-8")
    page = tmp_path / "README.md"
    page.write_text(_block("md"), encoding="utf-8")
    assert errspec("generate", cwd=tmp_path).returncode == 0
    assert "`PAYMENT_FAILED`" in page.read_text("utf-8")
    assert errspec("check", cwd=tmp_path).returncode == 0
    text = page.read_text("utf-8")
    page.write_text(text.replace("PAYMENT", "PAID"), encoding="utf-8")
    assert errspec("check", cwd=tmp_path).returncode == 1
    assert errspec("generate", cwd=tmp_path).returncode == 2
