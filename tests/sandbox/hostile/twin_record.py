"""The record `twins.json`, which is committed: for which programs, libraries and kernels all twins have succeeded.

Twins test the tests: each shows that its program would succeed without the sandbox. That depends on the programs, on Python, on torch, and
on the kernel. While none of these changes, `make test` does not run the twins; `python -m tests.nightly` always runs them, and so does
`python -m tests.sandbox.hostile --record-twins`, which writes the record.
"""

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
    """The record. `programs` is a hash of all programs and of what runs them; `kernels` are kernel series with machine types."""

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
    for path in [*sorted(PROGRAMS.glob("*/*.py")), *(HERE / name for name in ACTORS)]:
        found.update(f"{path.relative_to(HERE)}\n{path.read_text()}\n".encode())
    return found.hexdigest()


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
