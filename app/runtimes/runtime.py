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
    """The child that was asked has ended. `outcome` says how."""

    def __init__(self, outcome: Outcome | None) -> None:
        super().__init__(f"it is gone: {outcome}")
        self.outcome = outcome


class Link(Protocol):
    """The connection to the other child of a submission. Requests and replies are those of app.protocol.calls, encoded as msgpack.

    `answering` answers requests of the other child while this one waits for a reply; while it is None, the other child may ask nothing.
    """

    answering: Callable[[bytes], bytes] | None

    def ask(self, request: bytes, *, fresh: bool = False) -> bytes:
        """Return the reply. With `fresh`, ask a new child, in which the program has been executed again. Raises Gone."""


class Runtime(Protocol):
    """What the sandbox calls. The runtime's module may import its framework: make it in the zygote."""

    name: str
    versions: dict[str, str]  # of the framework and of Python

    def preload(self) -> None:
        """Import the framework and install the observers. The process stays single-threaded."""

    def warm_up(self) -> None:
        """Run what is slow the first time in the most common lessons, so that no child has to. Leaves no trace that a program can see."""

    def complete(self) -> None:
        """Do the same for all other usual programs: optimizers, transforms, figures."""

    def touch(self) -> None:
        """Repeat part of the warm-up in a waiting child, so that most copy-on-write faults do not happen while a learner waits."""

    def execute(self, program: Program, emit: Emit) -> Over:
        """Execute a learner's program and return how it ended. Raises nothing that the program raises."""

    def answer(self, request: bytes, link: Link) -> bytes:
        """Return the reply to one request about what the executed program defined. Raises nothing that the program raises.

        Through `link` the program may ask the grader's child before the reply: the learner's own check calls functions there.
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
