"""A runtime that becomes warm when a test wants it, with a version set in its spec: like a framework that is slow to import."""

import os
import platform

from tests.bare.runtime import BareRuntime


class ToyRuntime(BareRuntime):
    """The variable `TOY_VERSION` is its version. If `TOY_GATE` names a FIFO, it reads that before it is warm."""

    def __init__(self) -> None:
        self.versions = {"toy": os.environ["TOY_VERSION"], "python": platform.python_version()}

    def warm_up(self) -> None:
        if gate := os.environ.get("TOY_GATE"):
            with open(gate) as opened:
                opened.read()
