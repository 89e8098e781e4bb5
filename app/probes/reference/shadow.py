"""The shadow: `forward` repeated as an ordinary function that autograd records. Its gradients are what `backward` should return."""

import math
from typing import Any

import torch

from app.probes.calls.copies import has_gradient, mapped
from app.probes.calls.prepared_call import SEED, Applied, Incoming, PreparedCall, has_setup_context, seed_all
from app.probes.calls.stub_context import StubContext
from app.probes.reference.cuts import CutMode


class NoShadow(Exception):
    """The shadow's gradients are not those of the Function."""


class Shadow:
    """A repeated forward. `ctx`: with what `forward` and `setup_context` stored on it; saved tensors are part of the graph."""

    def __init__(self, prepared: PreparedCall, *, with_context: bool = False) -> None:
        """Run `forward`. Raises what it raises."""
        self.leaves = {place: prepared.arguments[place].detach().clone().requires_grad_() for place in prepared.inputs}
        self.given = tuple(
            leaf.clone() if (leaf := self.leaves.get(place)) is not None else mapped(each, lambda tensor: tensor.detach().clone())
            for place, each in enumerate(prepared.arguments)
        )
        self.ctx: Any = StubContext(tuple(has_gradient(each) for each in self.given))
        self.mode = CutMode()
        self._function = function = prepared.function
        seed_all(SEED)
        with torch.enable_grad(), self.mode:
            returned = self.run_forward(() if has_setup_context(function) else (self.ctx,))
        if with_context and has_setup_context(function):
            with torch.enable_grad():
                function.setup_context(self.ctx, self.given, returned)
        self.outputs: tuple[Any, ...] = returned if isinstance(returned, tuple) else (returned,)

    def run_forward(self, context: tuple[Any, ...]) -> Any:
        """Run `forward`. `context`: a tuple with ctx, empty if forward takes none."""
        return self._function.forward(*context, *self.given)

    @property
    def may_be_cut(self) -> bool:
        """Return whether something ended the path of a gradient, or another Function computed a part of it by its own rules."""
        is_function = (isinstance(node, torch.autograd.function.BackwardCFunction) for node in nodes(self.outputs))
        return bool(self.mode.cuts) or any(is_function)

    def check(self, applied: Applied) -> None:
        """Raise NoShadow if the outputs differ from those of the Function."""
        for place in applied.differentiable:
            mine, its = self.outputs[place], applied.outputs[place]
            if mine.is_inference() or mine.shape != its.shape or not torch.allclose(mine, its, rtol=1e-9, atol=1e-12, equal_nan=True):
                raise NoShadow("other outputs")

    def gradients(self, incoming: Incoming, *, create_graph: bool = False) -> dict[int, torch.Tensor]:
        """Return the gradient of each input, zeros for an input without one."""
        given = [(self.outputs[place], each) for place, each in enumerate(incoming) if each is not None]
        pairs = [(output, grad) for output, grad in given if output.requires_grad]
        if not pairs:
            return {place: torch.zeros_like(leaf) for place, leaf in self.leaves.items()}
        found = torch.autograd.grad(
            [output for output, _ in pairs],
            list(self.leaves.values()),
            [grad for _, grad in pairs],
            retain_graph=True,
            create_graph=create_graph,
            allow_unused=True,
        )
        return {
            place: torch.zeros_like(leaf) if each is None else each if create_graph else each.detach().clone()
            for (place, leaf), each in zip(self.leaves.items(), found, strict=True)
        }


def nodes(tensors: Any, most: float = math.inf) -> list[Any]:
    """Return all nodes of the graph behind the tensors, or about `most` of them."""
    waiting = [each.grad_fn for each in tensors if has_gradient(each) and each.grad_fn is not None]
    seen = set(waiting)
    while waiting and len(seen) < most:
        for following, _ in waiting.pop().next_functions:
            if following is not None and following not in seen:
                seen.add(following)
                waiting.append(following)
    return list(seen)


def leaves_outside(shadow: Shadow) -> list[torch.Tensor]:
    """Return the tensors that need a gradient, contribute to the outputs, and are no arguments."""
    own = {id(leaf) for leaf in shadow.leaves.values()}
    return [node.variable for node in nodes(shadow.outputs) if hasattr(node, "variable") and id(node.variable) not in own]


def arguments_equal_to(prepared: PreparedCall, tensors: list[torch.Tensor]) -> list[int]:
    """Return the arguments that have the values of one of the tensors.

    The parameters of a module that is an argument are often passed as well. Then forward does not compute with these copies.
    """
    arguments = [(place, each) for place, each in enumerate(prepared.arguments) if isinstance(each, torch.Tensor)]
    return [place for place, each in arguments if any(each.shape == other.shape and torch.equal(each, other) for other in tensors)]
