"""Starts a server whose runs write their files into a folder that tests can read."""

import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tests.bench.server import Server, serve


@contextmanager
def serve_with_scratch(settings: Mapping[str, str] | None = None) -> Iterator[tuple[Server, Path]]:
    """Yield the server, with these environment variables in addition to ours, and the folder. Raises ServerError."""
    with tempfile.TemporaryDirectory(prefix="gradroom-load-") as folder:
        os.chmod(folder, 0o711)  # the uids of runs pass through
        with serve({"GRADROOM_SCRATCH_FOLDER": folder} | dict(settings or {})) as server:
            yield server, Path(folder)
