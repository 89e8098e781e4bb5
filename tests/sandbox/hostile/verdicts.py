"""Runs the suite in processes of its own, beside the tests of other workers."""

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[3]
# between the uids of the other tests' runs and of these: the kernel counts the threads of a uid together, and bombs use them up
UIDS_BETWEEN = 5000


class Verdicts:
    """The verdicts of a suite that was started. The first question waits for the suite's end."""

    def __init__(self, *options: str) -> None:
        command = [sys.executable, "-m", "tests.sandbox.hostile", "--json", *options]
        self._output = tempfile.TemporaryFile("w+")  # noqa: SIM115 - a pipe that nobody reads would stop the suite
        self._errors = tempfile.TemporaryFile("w+", errors="replace")  # noqa: SIM115
        first_uid = str(int(os.environ.get("GRADROOM_FIRST_UID", "210000")) + UIDS_BETWEEN)
        environment = os.environ | {"GRADROOM_FIRST_UID": first_uid}
        self._process = subprocess.Popen(command, cwd=PROJECT, stdout=self._output, stderr=self._errors, env=environment)
        self._wrong: dict[str, list[str]] | None = None

    def wrong(self, name: str) -> list[str]:
        if self._wrong is None:
            self._process.wait()
            self._output.seek(0)
            self._wrong = {found["name"]: found["wrong"] for found in map(json.loads, self._output)}
        if name in self._wrong:
            return self._wrong[name]
        return [f"there is no verdict: the suite broke off: {self._last_words()}"]

    def _last_words(self) -> str:
        """Return how the suite ended, and the end of its output."""
        self._errors.seek(0)
        return f"it ended with {self._process.returncode}: {self._errors.read()[-2000:]}"

    def end(self) -> None:
        """End the suite and its runner, if it has not ended."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)
            self._process.wait()
        self._output.close()
        self._errors.close()


@contextmanager
def running_suite(*options: str) -> Iterator[Verdicts]:
    """Within the block, run a suite."""
    verdicts = Verdicts(*options)
    try:
        yield verdicts
    finally:
        verdicts.end()
