"""A server of one's own whose runs keep their files in a folder that can be looked into."""

import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tests.bench.server import Server, serve


@contextmanager
def serve_with_scratch(settings: Mapping[str, str] | None = None) -> Iterator[tuple[Server, Path]]:
    """The server, with these environment variables besides ours, and the folder. Raises ServerError."""
    with tempfile.TemporaryDirectory(prefix="gradroom-load-") as folder:
        os.chmod(folder, 0o711)  # the uids of runs pass through
        with serve({"GRADROOM_SCRATCH_FOLDER": folder} | dict(settings or {})) as server:
            yield server, Path(folder)
