"""A runtime: the framework that a zygote preloads, and how a sandbox child runs a program with it.

`preload`, `warm_up` and `complete` run in the zygote, before any fork; all else runs in a confined child, after it.
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
    """Whoever was asked is there no more. `outcome`: how it ended."""

    def __init__(self, outcome: Outcome | None) -> None:
        super().__init__(f"it is gone: {outcome}")
        self.outcome = outcome


class Link(Protocol):
    """The way to the other child of a submission. Requests and replies are the msgpack of those of app.protocol.calls.

    `answering`: answers what the other child asks while this one waits for a reply; set by whoever can. None: it may ask nothing.
    """

    answering: Callable[[bytes], bytes] | None

    def ask(self, request: bytes, *, fresh: bool = False) -> bytes:
        """The reply. `fresh`: of a new child in which the program has been executed anew. Raises Gone."""


class Runtime(Protocol):
    """What the sandbox calls. The runtime's module may import its framework: make it in the zygote."""

    name: str
    versions: dict[str, str]  # of the framework and of Python

    def preload(self) -> None:
        """Import the framework and install the observers. The process stays single-threaded."""

    def warm_up(self) -> None:
        """Pay the first-time costs of the most common lessons once, before any fork, and leave no trace."""

    def complete(self) -> None:
        """Pay those of all other usual programs as well: optimizers, transforms, figures."""

    def touch(self) -> None:
        """Some of the warm-up again in a waiting child, quietly, so that most copy-on-write faults are paid."""

    def execute(self, program: Program, emit: Emit) -> Over:
        """Run a learner's program. Never raises for a learner's fault: `Over` says how it ended."""

    def answer(self, request: bytes, link: Link) -> bytes:
        """The reply to one request about what the executed program defined. Never raises for a learner's fault.

        `link`: to ask back before it replies, which the learner's own check does.
        """

    def examine(self, examination: Examination, link: Link, report: Callable[[CheckResult], None]) -> Verdict:
        """Grade a program that another child has executed, telling of each check when it is decided. Executes nothing of a learner's."""


def load_runtime(spec: RuntimeSpec) -> Runtime:
    """The runtime, not yet preloaded. Raises ImportError where its framework is not installed."""
    module, _, name = spec.maker.partition(":")
    runtime: Runtime = getattr(import_module(module), name)()
    return runtime
