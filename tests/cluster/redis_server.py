"""A Redis server for tests, with a password. Debian's package `redis-server` has it."""

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PORT = 6390
PASSWORD = "of-the-tests"


@contextmanager
def redis_server(host: str, folder: Path) -> Iterator[str]:
    """Run Redis for as long as the block lasts, and yield HOST:PORT. It writes each change to the disk."""
    program = shutil.which("redis-server")
    if program is None:
        raise SystemExit("there is no Redis: apt-get install redis-server")
    folder.mkdir()
    options = {"bind": host, "port": PORT, "requirepass": PASSWORD, "dir": folder, "appendonly": "yes", "appendfsync": "always", "save": ""}
    words = [word for name, value in options.items() for word in (f"--{name}", str(value))]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen([program, *words], stdout=log, stderr=log)
    try:
        yield f"{host}:{PORT}"
    finally:
        process.terminate()
        process.wait(30)
