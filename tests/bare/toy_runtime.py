"""A runtime that becomes warm when a test wants it, like a framework that is slow to import. Its spec sets its version."""

import os
import platform

from tests.bare.runtime import BareRuntime


class ToyRuntime(BareRuntime):
    """Its version is the variable `TOY_VERSION`. If `TOY_GATE` names a FIFO, it reads that before it becomes warm."""

    def __init__(self) -> None:
        self.versions = {"toy": os.environ["TOY_VERSION"], "python": platform.python_version()}

    def warm_up(self) -> None:
        if gate := os.environ.get("TOY_GATE"):
            with open(gate) as opened:
                opened.read()
