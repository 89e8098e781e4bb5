"""The two functions of a comparison, asked alike: the learner's, through the runner, and the reference, here.

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
from app.runtimes.torch.grading.failing import AuthorFault
from app.runtimes.torch.instruments.forward_names import forward_names


class Side:
    """A function of another process by its name."""

    def __init__(self, asker: Asker, name: str) -> None:
        self.asker, self.name = asker, name
        self.function: Callable[..., Any] = remote_function(asker, name)

    def call(self, args: Sequence[Any], **options: Any) -> RemoteGraph:
        """See Asker.call; so with `pull`. Raises RaisedThere, UnreadableReply, Gone."""
        return self.asker.call(self.name, args, **options)

    def pull(self, graph: RemoteGraph, grads: Sequence[torch.Tensor | None], **options: Any) -> RemoteGraph:
        return self.asker.pull(graph, grads, **options)


class ReferenceSide(Side):
    """A function of the author's, in this process. What it raises is the author's fault."""

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
