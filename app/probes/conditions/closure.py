"""Probes whether forward computes with tensors that need a gradient but are no arguments, so that they never get one."""

import torch

from app.probes.calls.preserved import preserved_tensors
from app.probes.observation import Observation
from app.probes.probed_call import ProbedCall
from app.probes.reference.draws import dense_draw
from app.probes.reference.shadow import Shadow, arguments_equal_to, leaves_outside, nodes


def probe_closure(examined: ProbedCall) -> list[Observation]:
    shadow = Shadow(examined.native)
    behind = nodes(shadow.outputs)
    leaves = [each for each in leaves_outside(shadow) if not arguments_equal_to(examined.native, [each])]
    if not leaves or any(gets_a_gradient(examined, leaves)):
        return []
    # These tensors, and what was computed from them. One that forward itself makes has no name, because nobody outside can request its
    # gradient.
    named = [(name, each) for name, each in examined.outside.items() if any(each is leaf for leaf in leaves) or each.grad_fn in behind]
    return [examined.observe("closure-tensor", name=name[:100]) for name, _ in named]


def gets_a_gradient(examined: ProbedCall, leaves: list[torch.Tensor]) -> list[bool]:
    """Return for each tensor whether backward itself accumulates its gradient, as that of a checkpoint does."""
    with preserved_tensors(leaves):
        for leaf in leaves:
            leaf.grad = None
        applied = examined.native.apply()
        applied.gradients(dense_draw(applied, torch.Generator().manual_seed(29)).grads)
        return [leaf.grad is not None for leaf in leaves]
