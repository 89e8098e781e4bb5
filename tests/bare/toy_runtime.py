"""A runtime with a version that its spec sets, which is warm when a file says so: it stands for a framework that is slow to import."""

import os
import platform

from tests.bare.runtime import BareRuntime


class ToyRuntime(BareRuntime):
    """`TOY_VERSION` is its version; it reads the FIFO `TOY_GATE`, if there is one, before it is warm."""

    def __init__(self) -> None:
        self.versions = {"toy": os.environ["TOY_VERSION"], "python": platform.python_version()}

    def warm_up(self) -> None:
        if gate := os.environ.get("TOY_GATE"):
            with open(gate) as opened:
                opened.read()
