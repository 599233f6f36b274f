"""`make bench`: how fast errspec and what it generates are, as ratios of one run.

Times depend on the machine, so each figure stands beside one that was measured in
the same run: a bare Python start, a tenth of the codes, a class written by hand.
"""

from __future__ import annotations

import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import timeit

from support import compile_files, write

HAND_WRITTEN = """
class Base(Exception):
    def __init__(self, message, *, status=None, retryable=None):
        super().__init__(message)
        self.message = message
        if status is not None:
            if not isinstance(status, int) or isinstance(status, bool):
                raise TypeError("status")
            if not 100 <= status <= 599:
                raise ValueError("status")
        self.status = status
        if retryable is None:
            if status is not None and 400 <= status <= 499:
                self.retryable = False
            else:
                self.retryable = True
        else:
            self.retryable = retryable

class HandError(Base):
    code = "CODE_0"
"""


# Bytecode is kept, as on a machine in daily use.
WARM = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}


def catalogue(codes: int) -> str:
    """Return a catalogue of so many codes, a third of them with fields and rules."""
    lines = [
        "errspec: 1",
        "id: bench",
        "title: Bench",
        "version: 1.0.0",
        "languages: [python, typescript]",
        "base_class: BenchError",
        "groups:",
        *(f"  g{n}: {{title: Group {n}}}" for n in range(10)),
        "codes:",
    ]
    for n in range(codes):
        lines += [
            f"  CODE_{n}:",
            f"    group: g{n % 10}",
            f"    meaning: Number {n} of the errors in this catalogue has happened.",
            "    raised_by: [one module, another module]",
        ]
        if n % 3:
            lines += ["    retryable: false"]
        else:
            lines += [
                "    fields: {status: {type: http_status, optional: true}}",
                "    retryable: {rules: [{when: {status: 4xx}, then: false}], else: true}",
            ]
    return "\n".join(lines) + "\n"


def cpu(*command: str, cwd: pathlib.Path) -> float:
    """Return the least CPU time, in seconds, that a command took in five runs."""
    found = []
    for _ in range(5):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, cwd=cwd, check=True, capture_output=True, env=WARM)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        found.append(
            after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        )
    return min(found)


def pipeline(folder: pathlib.Path) -> None:
    """Print what a whole `errspec generate` costs."""
    bare = cpu(sys.executable, "-c", "pass", cwd=folder)
    print(f"bare Python start                {bare * 1000:7.0f} ms CPU")
    last = 0.0
    for codes in (100, 1_000, 10_000):
        (folder / "bench.yaml").write_text(catalogue(codes), encoding="utf-8")
        errspec = (sys.executable, "-m", "errspec")
        generate = (*errspec, "generate", "bench.yaml")
        subprocess.run(generate, cwd=folder, check=True, capture_output=True, env=WARM)
        took = cpu(*errspec, "check", "--no-diff", "bench.yaml", cwd=folder) - bare
        growth = f"   {took / last:4.1f} times a tenth of the codes" if last else ""
        print(
            f"check of {codes:6,} codes, all packs {took * 1000:7.0f} ms CPU above it{growth}"
        )
        last = took


def package(folder: pathlib.Path) -> None:
    """Print what the generated classes cost."""
    spec = folder / "bench.yaml"
    spec.write_text(catalogue(1_000), encoding="utf-8")
    [built] = compile_files(spec, "python")
    root = write(built, folder)
    start = f"import sys; sys.path.insert(0, {str(root)!r}); import bench_errors"
    cpu(sys.executable, "-c", start, cwd=folder)  # writes the bytecode
    took = cpu(sys.executable, "-c", start, cwd=folder) - cpu(
        sys.executable, "-c", "import types, collections.abc", cwd=folder
    )
    print(
        f"import of 1,000 classes, warm    {took * 1000:7.1f} ms CPU, {took * 1000:.1f} µs a class"
    )
    sys.path.insert(0, str(root))
    names: dict[str, object] = {}
    exec(HAND_WRITTEN, names)
    exec("from bench_errors import Code0Error", names)
    for call in ('("m")', '("m", status=503)'):
        ours, theirs = (
            min(timeit.repeat(f"{cls}{call}", globals=names, number=100_000, repeat=7))
            for cls in ("Code0Error", "HandError")
        )
        print(
            f"construct{call:24}{ours * 1e4:7.0f} ns, {ours / theirs:.2f} of a hand-written class"
        )


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        pipeline(pathlib.Path(name))
        package(pathlib.Path(name))
