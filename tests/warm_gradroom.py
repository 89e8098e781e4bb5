"""The `gradroom` command in a process that is forked from one which has imported what each command imports first.

`python -m tests.warm_gradroom` takes lines of JSON on standard input, and answers each with the status of the child that it forked.
"""

import gc
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import IO, cast

from app.settings import PROJECT


class WarmGradroom:
    """Runs the command as `subprocess.run` would, without standard input, in a tenth of the time."""

    def __init__(self) -> None:
        pipe = subprocess.PIPE
        self._warm = subprocess.Popen((sys.executable, "-m", "tests.warm_gradroom"), stdin=pipe, stdout=pipe, text=True, cwd=PROJECT)
        self._ask, self._answer = cast("IO[str]", self._warm.stdin), cast("IO[str]", self._warm.stdout)

    def run(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        with tempfile.TemporaryDirectory() as folder:
            print(json.dumps([folder, arguments, environment]), file=self._ask, flush=True)
            status = int(self._answer.readline())
            stdout, stderr = (Path(folder, name).read_text() for name in ("stdout", "stderr"))
        return subprocess.CompletedProcess(arguments, status, stdout, stderr)

    def close(self) -> None:
        self._ask.close()
        self._warm.wait(10)
        self._answer.close()


def serve() -> None:
    """Fork for each line. Return in the child, which is to execute the command."""
    for line in sys.stdin:
        folder, arguments, environment = json.loads(line)
        if child := os.fork():
            print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
            continue
        for descriptor, name in ((0, os.devnull), (1, f"{folder}/stdout"), (2, f"{folder}/stderr")):
            os.dup2(os.open(name, os.O_RDWR | os.O_CREAT), descriptor)
        sys.argv[1:] = arguments
        os.environ |= environment
        return
    sys.exit()


if __name__ == "__main__":
    # no more than this: what is imported later may have to be imported as another user, who sees less of the machine
    from typer import rich_utils  # noqa: F401

    from app import cli
    from app.serving import entry, logs  # noqa: F401
    from app.serving.operating import store_commands  # noqa: F401

    gc.freeze()
    serve()
    cli.main()
