"""The record `twins.json`, which is committed: for which programs, libraries and kernels all twins have succeeded.

Twins test the tests: each shows that its program would succeed without the sandbox. That depends on the programs, on Python, on torch, and
on the kernel. While none of these changes, `make test` does not run the twins; `python -m tests.nightly` always runs them, and so does
`python -m tests.sandbox.hostile --record-twins`, which writes the record.
"""

import ast
import os
import sys
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

import msgspec

from tests.sandbox.hostile.row import PROGRAMS

HERE = Path(__file__).parent
FILE = HERE / "twins.json"
ACTORS = ("row.py", "twin.py")  # they make a twin of a program, run it and judge it


class TwinRecord(msgspec.Struct, frozen=True, kw_only=True):
    """The record. `programs` is a hash of all programs and of the code that runs them; `kernels` are kernel series with machine types."""

    programs: str
    python: str
    torch: str
    kernels: list[str]


def describe_present() -> TwinRecord:
    """Return what the twins would be run with here."""
    system = os.uname()
    return TwinRecord(
        programs=hash_programs(),
        python=".".join(map(str, sys.version_info[:2])),
        torch=version("torch").partition("+")[0],  # whichever build
        kernels=[f"{'.'.join(system.release.split('.')[:2])} {system.machine}"],
    )


def hash_programs() -> str:
    found = sha256()
    texts = {path: path.read_text() for path in sorted(PROGRAMS.glob("*/*.py"))}
    texts |= {path: strip_words(path.read_text()) for path in (HERE / name for name in ACTORS)}
    for path, text in texts.items():
        found.update(f"{path.relative_to(HERE)}\n{text}\n".encode())
    return found.hexdigest()


def strip_words(source: str) -> str:
    """Return code without its comments, docstrings and blank lines, which do not change what it does."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and ast.get_docstring(node) is not None:
            node.body = node.body[1:]
    return ast.unparse(tree)


def load_record() -> TwinRecord:
    return msgspec.json.decode(FILE.read_bytes(), type=TwinRecord)


def find_change(recorded: TwinRecord, present: TwinRecord) -> str | None:
    """Return in a word what has changed since the twins succeeded; None if nothing has."""
    for name in ("programs", "python", "torch"):
        if getattr(recorded, name) != getattr(present, name):
            return name
    return None if set(present.kernels) <= set(recorded.kernels) else "kernel"


def record_success() -> None:
    """Record that all twins have succeeded here. Other kernels stay in the record if nothing else has changed."""
    recorded, present = load_record(), describe_present()
    if find_change(recorded, present) in (None, "kernel"):
        present = msgspec.structs.replace(present, kernels=sorted({*recorded.kernels, *present.kernels}))
    FILE.write_bytes(msgspec.json.format(msgspec.json.encode(present)) + b"\n")
