"""Keeps a process of the server running: starts it again whenever it ends, and kills it when the server dies."""

import asyncio
import os
import signal
import subprocess
import time
from collections.abc import Collection, Mapping, Sequence

import structlog

from app.runner.readable import ended
from app.sandbox import kernel
from app.serving.command_refused import REFUSED_STATUS

FIRST_PAUSE_SECONDS = 0.1
LONGEST_PAUSE_SECONDS = 5.0
STEADY_SECONDS = 10.0  # of life, after which the pause is the first one again

log = structlog.get_logger()


class SupervisedProcess:
    """A process that is started again whenever it ends. It inherits the descriptors `fds` besides 0, 1 and 2.

    It also inherits the environment, without the variables `hidden`.
    """

    def __init__(self, name: str, command: Sequence[str], fds: Sequence[int] = (), hidden: Collection[str] = ()) -> None:
        self.name, self.command, self.fds, self.hidden = name, command, fds, hidden
        self._process: subprocess.Popen[bytes] | None = None

    async def keep_alive(self) -> None:
        """Run the process again and again, until it ends with REFUSED_STATUS. Cancelling this leaves the process running."""
        pause_seconds = FIRST_PAUSE_SECONDS
        while True:
            began = time.monotonic()
            status = await self._live()
            if status == REFUSED_STATUS:
                return
            if time.monotonic() - began > STEADY_SECONDS:
                pause_seconds = FIRST_PAUSE_SECONDS
            log.error("child_ended", child=self.name, status=status, restart_seconds=pause_seconds)
            await asyncio.sleep(pause_seconds)
            pause_seconds = min(2 * pause_seconds, LONGEST_PAUSE_SECONDS)

    async def _live(self) -> int | str:
        """Start the process, and wait for its end. Return its status, or a message if it could not be started."""
        try:
            self._process = start(self.command, self.fds, {name: value for name, value in os.environ.items() if name not in self.hidden})
        except OSError as error:
            return str(error)
        await ended(self._process)
        return self._process.wait()

    async def end(self, patience_seconds: float) -> None:
        """Ask the process to end, and kill it after `patience_seconds`, or at once if this is cancelled."""
        process = self._process
        if process is None or process.poll() is not None:
            return
        process.terminate()
        try:
            async with asyncio.timeout(patience_seconds):
                await ended(process)
        except TimeoutError:
            log.warning("child_killed", child=self.name)
        finally:
            process.kill()
            process.wait()


def start(command: Sequence[str], fds: Sequence[int], environment: Mapping[str, str]) -> subprocess.Popen[bytes]:
    """Start a process in a process group of its own, so that Ctrl+C does not reach it. The kernel kills it if this process dies first."""
    parent = os.getpid()

    def die_with_parent() -> None:
        kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)

    return subprocess.Popen(command, stdin=subprocess.DEVNULL, pass_fds=fds, process_group=0, preexec_fn=die_with_parent, env=environment)
