"""A name of the learner's that is checked, and a way to draw its arguments: what an author's checks.py is mostly made of.

Runs in the grader's child. Each method asks the learner's process and the reference alike, and raises NotPassed where they do not agree.
"""

from collections.abc import Callable, Collection
from typing import Any

import torch

from app.runtimes.torch.calls.remote_graph import RaisedThere, RemoteGraph
from app.runtimes.torch.grading import contract_checks, edge_checks, gradient_checks, layout_checks, likeness, value_checks
from app.runtimes.torch.grading.draws import Draws, as_list
from app.runtimes.torch.grading.failing import AuthorFault, NotPassed
from app.runtimes.torch.grading.sides import ReferenceSide, Side

Gradients = torch.Tensor | tuple[torch.Tensor | None, ...] | list[torch.Tensor | None] | None


class Subject:
    """`theirs` is the learner's function, `ours` the reference. `arguments` draws one list of arguments."""

    def __init__(self, name: str, arguments: Callable[[], Any], theirs: Side, ours: ReferenceSide | None, draws: Draws) -> None:
        self.name, self.theirs, self.draws = name, theirs, draws
        self._ours, self._arguments = ours, arguments

    @property
    def ours(self) -> ReferenceSide:
        if self._ours is None:
            raise AuthorFault(f"solution.py does not define {self.name}, and there is no other reference (like=…)")
        return self._ours

    def argument_names(self, count: int) -> list[str | None]:
        """What the reference calls its arguments, as the task does; none are known without one."""
        return [None] * count if self._ours is None else self._ours.argument_names(count)

    def drawn(self) -> list[Any]:
        return as_list(self._arguments())

    def incoming(self, graph: RemoteGraph, scale: float = 1.0, *, grad: bool = False) -> list[torch.Tensor | None]:
        """A random gradient for each output that is differentiable. `grad`: that they require grad themselves."""
        drawn = [self.draws.like(output, scale) if able else None for output, able in zip(graph.outputs, graph.differentiable, strict=True)]
        return [None if value is None else value.requires_grad_(grad) for value in drawn]

    def incoming_gradients(self, graph: RemoteGraph) -> list[torch.Tensor | None]:
        """The same for a pull, whose outputs are gradients: for each that there is, whether differentiable or not."""
        return [self.draws.like(value).requires_grad_() if isinstance(value, torch.Tensor) else None for value in graph.outputs]

    def runs(self, args: list[Any], *, back: bool = False) -> int:
        """How often autograd goes back through a graph in one call; `back`: in the backward pass of the call, besides that pass."""
        graph = self.theirs.call(args, watch=not back)
        return (self.theirs.pull(graph, self.incoming(graph), watch=True) if back else graph).runs

    def values(self, times: int = 3) -> None:
        value_checks.check_values(self, times)

    def dtypes(self, absolute: float | None = None) -> None:
        """`absolute`: how far any entry may be off besides, for outputs that are truly zero and come out as rounding errors."""
        value_checks.check_dtypes(self, absolute)

    def scalars(self) -> None:
        value_checks.check_scalars(self)

    def edges(self, without: Collection[str] = (), kinks: Collection[str] = ()) -> None:
        """`without`: edges that the task's text excludes. `kinks`: those where it does not say which gradient is right."""
        edge_checks.check_edges(self, without, kinks)

    def scale(self) -> None:
        value_checks.check_scale(self)

    def close(self, target: Callable[..., torch.Tensor], atol: float, times: int = 3) -> None:
        value_checks.check_close(self, target, atol, times)

    def gradients(self) -> None:
        gradient_checks.check_gradients(self)

    def second(self) -> None:
        gradient_checks.check_order(self, 2)

    def third(self) -> None:
        gradient_checks.check_order(self, 3)

    def linear(self) -> None:
        gradient_checks.check_linear(self)

    def needs(self) -> None:
        gradient_checks.check_needs(self)

    def gradcheck(self, **options: Any) -> None:
        gradient_checks.check_numerically(self, torch.autograd.gradcheck, options)

    def gradgradcheck(self, **options: Any) -> None:
        gradient_checks.check_numerically(self, torch.autograd.gradgradcheck, options)

    def strides(self) -> None:
        layout_checks.check_strides(self)

    def untouched(self) -> None:
        contract_checks.check_untouched(self)

    def interleaved(self) -> None:
        contract_checks.check_interleaved(self)

    def dirty(self, index: int = 0) -> None:
        contract_checks.check_dirty(self, index)

    def raises(self, kind: type[BaseException] | str, contains: str = "", order: int = 1, *, incoming: bool = True) -> None:
        """`incoming` false: for a second order the incoming gradients do not require grad, while the graph is kept all the same."""
        contract_checks.check_raises(self, kind if isinstance(kind, str) else kind.__name__, contains, order, incoming=incoming)

    def behaves_like(
        self,
        forward: Callable[..., Any] | None = None,
        backward: Callable[..., Gradients] | None = None,
        second: Callable[..., Gradients] | None = None,
    ) -> bool:
        """Whether what is given here describes the learner's function: `forward(*args)`, `backward(*grads, *args)` and
        `second(*grad_grads, *grads, *args)`, the last two as the gradients of the arguments that require grad."""
        try:
            return likeness.is_like(self, forward, backward, second)
        except (NotPassed, RaisedThere):
            return False

    def holds(self, method: str, *args: Any, **kwargs: Any) -> bool:
        """Whether the check of this name is passed."""
        try:
            getattr(self, method)(*args, **kwargs)
        except (NotPassed, RaisedThere):
            return False
        return True
