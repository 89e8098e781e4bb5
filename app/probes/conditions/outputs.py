"""Probes whether every output without a derivative is marked with ctx.mark_non_differentiable."""

from typing import Any

import torch

from app.probes.calls.prepared_call import can_need
from app.probes.observation import Observation
from app.probes.probed_call import ProbedCall
from app.probes.reference.draws import dense_like
from app.probes.reference.shadow import Shadow


def probe_unmarked(examined: ProbedCall) -> list[Observation]:
    """Return one observation for each output that has no derivative and is not marked.

    Such an output is one of several, and is an integer or bool tensor, or has no path from any input.
    """
    prepared = examined.prepared
    shadow = Shadow(prepared, with_context=True)
    outputs = [(place, each) for place, each in enumerate(shadow.outputs) if isinstance(each, torch.Tensor)]
    marked = {id(each) for each in getattr(shadow.ctx, "non_differentiable", ())}
    exempt = marked | {id(each) for each in shadow.given}
    unmarked = [(place, each) for place, each in outputs if id(each) not in exempt]
    found = [place for place, each in unmarked if not can_need(each)]
    if examined.reference is not None and not shadow.may_be_cut and all_need(prepared.arguments, prepared.inputs):
        constant = [place for place, each in unmarked if can_need(each) and not each.requires_grad]
        found += [place for place in constant if is_ignored(examined, place)]
    return [examined.observe("output-not-marked", output=place) for place in sorted(found)] if len(outputs) > 1 else []


def all_need(arguments: tuple[Any, ...], inputs: list[int]) -> bool:
    """Return whether every tensor that can need a gradient does. If not, an output may depend on one that does not need it here."""
    return all(place in inputs for place, each in enumerate(arguments) if isinstance(each, torch.Tensor) and can_need(each))


def is_ignored(examined: ProbedCall, place: int) -> bool:
    """Return whether an output looks differentiable to the program, but backward ignores its gradient."""
    applied = examined.prepared.apply()
    if place not in applied.differentiable or len(applied.differentiable) < 2:
        return False
    incoming = applied.zeros()
    incoming[place] = dense_like(applied.outputs[place], torch.Generator().manual_seed(41))
    return not any(bool(each.any()) for each in applied.gradients(incoming).values())
