"""One step of a backward pass, before the nodes in it have ids. Runs in the child."""

from types import CodeType

from app.protocol.records.replay import STEP_GRADIENTS, Gradient, ReplayStep, Sent
from app.runtimes.positions import Sources
from app.runtimes.torch.tracing.node_names import Name, id_of


class PassStep:
    """A node that runs, or the addition of the gradients that met at an output of a node.

    `output`: the number of that output. `place`: the instruction of the learner's `backward` that returned or raised. `has_ended`: whether
    the node ended without raising.
    """

    def __init__(self, name: Name, label: str, received: list[Gradient | None]) -> None:
        self.name, self.label, self.received = name, label, received
        self.senders: list[Name | None] = []
        self.output: int | None = None  # None if the node runs
        self.sent: list[tuple[Name | None, int, Gradient | None]] = []
        self.grad: Gradient | None = None
        self.place: tuple[CodeType, int] | None = None
        self.has_ended = False

    def record(self, sources: Sources, *, failed: bool) -> ReplayStep:
        return ReplayStep(
            kind="function" if self.output is None else "sum",
            node=id_of(self.name),
            label=self.label,
            output=self.output or 0,
            received=self.received[:STEP_GRADIENTS],
            senders=[None if sender is None else id_of(sender) for sender in self.senders[:STEP_GRADIENTS]],
            sent=[
                Sent(node=None if name is None else id_of(name), output=output, gradient=gradient)
                for name, output, gradient in self.sent[:STEP_GRADIENTS]
            ],
            grad=self.grad,
            span=sources.span_of(*self.place) if self.place else None,
            failed=failed and not self.has_ended,
        )
