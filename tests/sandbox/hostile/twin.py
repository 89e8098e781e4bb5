"""The rows outside the sandbox: each program as its bounded twin in a plain Python process, where it must get what it wants.

Runs as a process of its own, which forks one for each twin, so that torch is imported once:

    python -m tests.sandbox.hostile.twin FOLDER NAME…      a JSON line for each: its name and what is wrong

The twins are ours and do no harm: their bombs are small, and what they leave is ended. FOLDER is theirs to write in.
"""

import contextlib
import json
import os
import resource
import select
import signal
import sys
import time
from pathlib import Path

from tests.sandbox.hostile.baseline import become_subreaper
from tests.sandbox.hostile.row import Row, load_rows

DEADLINE_SECONDS = 30.0
ENDLESS_SECONDS = 0.3
ADDRESS_SPACE_BYTES = 8 * 1024**3
FILE_BYTES = 256 * 1024**2


def main() -> None:
    folder, *names = sys.argv[1:]
    rows = {row.name: row for row in load_rows()}
    become_subreaper()
    if any("import torch" in rows[name].source for name in names):
        import torchviz  # noqa: F401  # and with it torch
    for name in names:
        place = Path(folder, name.replace("/", "-"))
        place.mkdir()
        print(json.dumps({"name": name, "wrong": find_wrong(rows[name], place)}), flush=True)


def find_wrong(row: Row, place: Path) -> list[str]:
    """Run the twin, and return what contradicts the row's header, in words; nothing if it ends as the header says."""
    status, output = run_twin(row, place)
    mark = row.mark.encode("utf-8", "surrogateescape")
    succeeded = {
        "escapes": mark in output,
        "dies": status not in (0, -signal.SIGALRM, None),
        "endless": status is None,
    }[row.twin.kind]
    return [] if succeeded else [f"the twin should have shown {row.twin.kind}: status {status}, {output[-300:].decode(errors='replace')}"]


def run_twin(row: Row, place: Path) -> tuple[int | None, bytes]:
    """Run the twin, and return its status, None if it had to be ended, and its output."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reader)
        act_twin(row, place, writer)
    os.close(writer)
    patience = ENDLESS_SECONDS if row.twin.kind == "endless" else DEADLINE_SECONDS
    ended, output = wait_for_end(pid, reader, time.monotonic() + patience)
    os.close(reader)
    end_all(pid)
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    reap()
    return (status if ended else None), output


def act_twin(row: Row, place: Path, writer: int) -> None:
    """Execute the attempt in this process, which never returns. It has what a child without a sandbox would have."""
    status = 1
    try:
        os.setsid()
        os.chdir(place)
        for descriptor in (1, 2, 3):
            os.dup2(writer, descriptor)
        resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE_BYTES, ADDRESS_SPACE_BYTES))
        resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_BYTES, FILE_BYTES))
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        sys.stdout.reconfigure(errors="backslashreplace")
        exec(compile(row.twin.source, "<source>", "exec"), {"__name__": "__main__"})
        status = 0
    except BaseException as error:
        sys.stdout.write(f"{type(error).__name__}: {error}\n")
    finally:
        with contextlib.suppress(BaseException):
            sys.stdout.flush()
        os._exit(status)


def wait_for_end(pid: int, reader: int, end: float) -> tuple[bool, bytes]:
    """Return whether the process ended by itself before `end`, and its output."""
    output = bytearray()
    pidfd = os.pidfd_open(pid)
    try:
        while (left := end - time.monotonic()) > 0:
            ready = select.select([pidfd, reader], [], [], left)[0]
            if reader in ready:
                output += os.read(reader, 1 << 20)
            if pidfd in ready:
                while select.select([reader], [], [], 0)[0] and (data := os.read(reader, 1 << 20)):
                    output += data
                return True, bytes(output)
        return False, bytes(output)
    finally:
        os.close(pidfd)


def end_all(pid: int) -> None:
    """Kill the twin and whatever it started."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    for children in Path("/proc/self/task").glob("*/children"):
        for orphan in map(int, children.read_text().split()):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(orphan, signal.SIGKILL)


def reap() -> None:
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


if __name__ == "__main__":
    main()
