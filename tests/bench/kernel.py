"""Measures a warm Jupyter kernel, used like a notebook's front end uses it."""

import os
import shutil
import subprocess
from types import TracebackType
from typing import Any, Self

from jupyter_client.manager import start_new_kernel

from tests.bench.snippet import DRAW_IN_NOTEBOOK, SNIPPET

START_SECONDS = 60
RUN_SECONDS = 30
WARM_UPS = 5


class Kernel:
    """Runs the snippet; draws the graph with a `dot` process, as a notebook does, if there is one."""

    def __init__(self) -> None:
        self.draws = shutil.which("dot") is not None
        self._source = SNIPPET + (DRAW_IN_NOTEBOOK if self.draws else "")

    def __enter__(self) -> Self:
        self._manager, self._client = start_new_kernel(
            startup_timeout=START_SECONDS, env=dict(os.environ), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        for _ in range(WARM_UPS):
            self.run()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._client.stop_channels()
        self._manager.shutdown_kernel(now=True)

    def run(self) -> None:
        """Run the snippet, and return when the kernel has answered and is idle again."""
        asked = self._client.execute(self._source, store_history=False)
        while not self._is_idle(self._client.get_iopub_msg(timeout=RUN_SECONDS), asked):
            pass
        status = self._client.get_shell_msg(timeout=RUN_SECONDS)["content"]["status"]
        if status != "ok":
            raise RuntimeError(f"the kernel answered {status}")

    def _is_idle(self, message: dict[str, Any], asked: str) -> bool:
        ours = message["parent_header"].get("msg_id") == asked
        return bool(ours and message["msg_type"] == "status" and message["content"]["execution_state"] == "idle")
