"""Runs an attack of `tests.load.attacks` in a process of its own, at nice 15, so that it gives way to the server and to the measurement."""

import importlib
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

from tests.bench.processor import own_seconds
from tests.bench.server import Server

END_SECONDS = 10.0


def find_attack(name: str) -> ModuleType:
    return importlib.import_module(f"tests.load.attacks.{name}")


@contextmanager
def attacked_by(name: str, server: Server) -> Iterator[dict[str, Any]]:
    """Attack within the block. Afterwards the yielded figures say how often the attack connected, and what that cost itself."""
    command = ["nice", "-n", "15", sys.executable, "-m", "tests.load.attacks.attack", name, server.host, str(server.port)]
    figures: dict[str, Any] = {}
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    try:
        assert process.stdout is not None
        process.stdout.readline()  # on a busy machine a process at nice 15 needs seconds to begin
        yield figures
        if process.poll() is not None:
            raise RuntimeError(f"the attack {name} ended by itself: {process.returncode}")
        figures["processor_seconds"] = own_seconds(process.pid)
    finally:
        process.terminate()
        try:
            figures |= json.loads(process.communicate(timeout=END_SECONDS)[0] or "{}")
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
