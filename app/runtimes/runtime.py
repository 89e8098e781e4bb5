"""The interface of a runtime: how a zygote preloads a framework, and how a sandbox child runs a program with it.

`preload`, `warm_up` and `complete` run in the zygote, before any fork; the other methods run in a confined child.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Protocol

from app.protocol.channel import Over
from app.protocol.grading import CheckResult, Examination, Verdict
from app.protocol.outcome import Outcome
from app.protocol.records.record import Record
from app.protocol.run import Program
from app.runtimes.specs import RuntimeSpec

Emit = Callable[[Record], None]


class Gone(Exception):
    """The other child has ended and cannot answer. `outcome` says how it ended."""

    def __init__(self, outcome: Outcome | None) -> None:
        super().__init__(f"it is gone: {outcome}")
        self.outcome = outcome


class Link(Protocol):
    """The connection to the other child of a submission. Requests and replies are those of app.protocol.calls, encoded as msgpack.

    While this child waits for a reply, `answering` answers requests of the other child. While it is None, the other child may send none.
    """

    answering: Callable[[bytes], bytes] | None

    def ask(self, request: bytes, *, fresh: bool = False) -> bytes:
        """Send a request to the other child, and return its reply. Raises Gone.

        With `fresh`, the request goes to a new child that has executed the program again.
        """


class Runtime(Protocol):
    """What the sandbox calls. Create a runtime only in the zygote, because its module may import the framework."""

    name: str
    versions: dict[str, str]  # of the framework and of Python

    def preload(self) -> None:
        """Import the framework and install the observers. The process stays single-threaded."""

    def warm_up(self) -> None:
        """Run what the most common lessons need and what is slow only the first time. A program must see no trace of this."""

    def complete(self) -> None:
        """Warm up in the same way for all other usual programs: optimizers, transforms, figures."""

    def touch(self) -> None:
        """Repeat part of the warm-up in a waiting child, so that most copy-on-write faults do not happen while a learner waits."""

    def execute(self, program: Program, emit: Emit) -> Over:
        """Execute a learner's program and return how it ended. Raises nothing that the program raises."""

    def answer(self, request: bytes, link: Link) -> bytes:
        """Return the reply to one request about what the executed program defined. Raises nothing that the program raises.

        A request may run the learner's own check. This check calls functions of the grader's child through `link`, before the reply.
        """

    def examine(self, examination: Examination, link: Link, report: Callable[[CheckResult], None]) -> Verdict:
        """Grade a program that the child behind `link` has executed. Call `report` with each check as soon as it is decided.

        Never executes a learner's source.
        """


def load_runtime(spec: RuntimeSpec) -> Runtime:
    """Import and return the runtime, not yet preloaded. Raises ImportError if its framework is not installed."""
    module, _, name = spec.maker.partition(":")
    runtime: Runtime = getattr(import_module(module), name)()
    return runtime
