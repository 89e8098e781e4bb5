"""The two functions that a check compares: the learner's, reached through the runner, and the reference, in this process.

Runs in the grader's child.
"""

from collections.abc import Callable, Sequence
from typing import Any

import torch

from app.runtimes.instruments.argument_names import argument_names
from app.runtimes.positions import Sources
from app.runtimes.torch.calls.call_server import CallServer
from app.runtimes.torch.calls.proxy import remote_function
from app.runtimes.torch.calls.remote_graph import Asker, RaisedThere, RemoteGraph
from app.runtimes.torch.grading.checks.agreement import compare_outputs
from app.runtimes.torch.grading.draws import Draws, as_list
from app.runtimes.torch.grading.not_passed import AuthorFault, NotPassed
from app.runtimes.torch.instruments.forward_names import forward_names

Gradients = list[torch.Tensor | None]


class Side:
    """A function that is reached through an `asker` by its `name`."""

    def __init__(self, asker: Asker, name: str) -> None:
        self.asker, self.name = asker, name
        self.function: Callable[..., Any] = remote_function(asker, name)

    def call(self, args: Sequence[Any], **options: Any) -> RemoteGraph:
        """Call the function; the options are those of Asker.call. Raises RaisedThere, UnreadableReply and Gone."""
        return self.asker.call(self.name, args, **options)

    def pull(self, graph: RemoteGraph, grads: Sequence[torch.Tensor | None], **options: Any) -> RemoteGraph:
        """Compute the vector–Jacobian products of a call, or of an earlier pull, with `grads`; the options are those of Asker.pull."""
        return self.asker.pull(graph, grads, **options)


class ReferenceSide(Side):
    """A function of the author's in this process. An exception that it raises becomes an AuthorFault."""

    def __init__(self, function: Any, name: str) -> None:
        self._reference = function.apply if isinstance(function, type) and issubclass(function, torch.autograd.Function) else function
        self._server = CallServer({name: function}, Sources())
        super().__init__(Asker(self._server.answer), name)

    def argument_names(self, count: int) -> list[str | None]:
        return argument_names(self._reference, count, forward_names)

    def call(self, args: Sequence[Any], **options: Any) -> RemoteGraph:
        try:
            return super().call(args, **options)
        except RaisedThere as error:
            raise AuthorFault(f"the reference {self.name} raised {error}") from error

    def pull(self, graph: RemoteGraph, grads: Sequence[torch.Tensor | None], **options: Any) -> RemoteGraph:
        try:
            return super().pull(graph, grads, **options)
        except RaisedThere as error:
            raise AuthorFault(f"the reference {self.name} raised in backward: {error}") from error


class FunctionPair:
    """The learner's function `theirs` and the reference `ours`, both called `name`. `arguments()` returns new random arguments."""

    def __init__(self, name: str, arguments: Callable[[], Any], theirs: Side, ours: ReferenceSide | None, draws: Draws) -> None:
        self.name, self.theirs, self.draws = name, theirs, draws
        self._ours, self._arguments = ours, arguments
        self.asked: dict[tuple[str, str], bool] = {}  # checks that were made: the function's name and the check's; whether it was passed

    def has_failed(self, check: str) -> bool:
        """Return whether this function has failed this check, with any arguments."""
        return self.asked.get((self.name, check)) is False

    @property
    def ours(self) -> ReferenceSide:
        """The reference. Raises AuthorFault if there is none."""
        if self._ours is None:
            raise AuthorFault(f"solution.py does not define {self.name}, and there is no other reference (like=…)")
        return self._ours

    def argument_names(self, count: int) -> list[str | None]:
        """Return the names of the reference's first `count` arguments, None for each unknown one. The task uses the same names."""
        return [None] * count if self._ours is None else self._ours.argument_names(count)

    def drawn(self) -> list[Any]:
        """Return a new list of random arguments."""
        return as_list(self._arguments())

    def incoming(self, graph: RemoteGraph, scale: float = 1.0, *, grad: bool = False) -> Gradients:
        """Return a random gradient for each output of a call, None for an output that is not differentiable.

        `scale` multiplies the gradients; `grad` says whether they require grad themselves.
        """
        drawn = [self.draws.like(output, scale) if able else None for output, able in zip(graph.outputs, graph.differentiable, strict=True)]
        return [None if value is None else value.requires_grad_(grad) for value in drawn]

    def incoming_gradients(self, graph: RemoteGraph) -> Gradients:
        """Return a new random gradient for each gradient that a pull returned; None where the pull returned None."""
        return [self.draws.like(value).requires_grad_() if isinstance(value, torch.Tensor) else None for value in graph.outputs]

    def call_both(self, args: list[Any]) -> tuple[RemoteGraph, RemoteGraph]:
        """Call both functions with `args`, compare their outputs, and return the learner's graph and the reference's.

        Raises NotPassed if the outputs differ or the learner's cannot be differentiated, and AuthorFault if the reference's cannot.
        """
        ours, theirs = self.ours.call(args), self.theirs.call(args)
        compare_outputs(theirs, ours, function=self.name, arguments=args)
        for index, (able, expected) in enumerate(zip(theirs.differentiable, ours.differentiable, strict=True), start=1):
            if expected and not able:
                raise NotPassed("no-graph", function=self.name, output=index, arguments=args)
        if not any(ours.differentiable):
            raise AuthorFault(f"no output of the reference {self.name} has a gradient")
        return theirs, ours

    def pull_both(self, theirs: RemoteGraph, ours: RemoteGraph, grads: Gradients) -> tuple[list[Any], list[Any]]:
        """Return the vector–Jacobian products of both graphs with `grads`: the learner's, then the reference's."""
        return self.theirs.pull(theirs, grads).outputs, self.ours.pull(ours, grads).outputs
