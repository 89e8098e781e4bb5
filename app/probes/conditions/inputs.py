"""Probes whether the gradient of an input depends on which other inputs need one, or on which outputs are used."""

from typing import Any

import torch

from app.probes.calls.prepared_call import Incoming
from app.probes.causes.find_fault import find_fault
from app.probes.observation import FilePlace, Observation
from app.probes.probed_call import ProbedCall
from app.probes.reference.draws import dense_draw, dense_like
from app.probes.wrong_gradient import Draw, Entry, WrongGradient

SECONDS_A_PLACE = 0.5


def probe_each_alone(examined: ProbedCall) -> list[Observation]:
    prepared = examined.prepared
    if len(prepared.inputs) < 2:
        return []
    together = prepared.apply()
    draw = dense_draw(together, torch.Generator().manual_seed(17))
    expected = together.gradients(cloned(draw.grads))
    for place in prepared.inputs:
        examined.deadline.check()
        try:
            alone = prepared.needing_only([place]).apply()
            if alone.differentiable != together.differentiable:  # an output depends on another input only
                continue
            got = alone.gradients(cloned(draw.grads))
        except (Exception, SystemExit) as error:
            return [examined.observe("needs-input-grad-ignored", input=examined.native.name_of(place), error=type(error).__name__)]
        if examined.apart({place: expected[place]}, got):
            observed = examined.observe("needs-input-grad-ignored", **examined.difference(place, expected[place], got[place]))
            return [observed._replace(place=where_lost(examined, Draw(draw.grads, expected[place], got[place]), place))]
    return []


def where_lost(examined: ProbedCall, draw: Draw, place: int) -> FilePlace | None:
    """Return where backward loses the gradient of an input, if this gradient is right only when the other inputs need one, too."""
    prepared = examined.prepared

    def together(arguments: tuple[Any, ...], incoming: Incoming) -> dict[int, torch.Tensor]:
        needing = tuple(each.detach().requires_grad_() if other in prepared.inputs else each for other, each in enumerate(arguments))
        return {place: prepared.with_arguments(needing).apply().gradients(cloned(tuple(incoming)))[place]}

    wrong = WrongGradient(place, None, [draw], 0, Entry(index=[], expected=0.0, got=0.0))
    seconds = min(SECONDS_A_PLACE, examined.deadline.left / 2)
    found = find_fault(prepared.needing_only([place]).call, wrong, together, examined.read_source, seconds)
    return None if found is None else found.place


def probe_unused_outputs(examined: ProbedCall) -> list[Observation]:
    prepared = examined.prepared
    applied = prepared.apply()
    if len(applied.differentiable) < 2:
        return []
    generator = torch.Generator().manual_seed(19)
    for place in applied.differentiable:
        examined.deadline.check()
        grad = dense_like(applied.outputs[place], generator)
        zeros = applied.zeros()
        zeros[place] = grad.clone()
        expected = prepared.apply().gradients(zeros)
        undefined: list[torch.Tensor | None] = [grad.clone() if each == place else None for each in range(len(applied.outputs))]
        try:
            got = prepared.apply().gradients(undefined)
        except (Exception, SystemExit) as error:
            return [examined.observe("undefined-gradient", output=place, error=type(error).__name__)]
        for differing in examined.apart(expected, got):
            return [
                examined.observe("undefined-gradient", output=place, **examined.difference(differing, expected[differing], got[differing]))
            ]
    return []


def cloned(grads: tuple[torch.Tensor | None, ...]) -> list[torch.Tensor | None]:
    return [None if each is None else each.clone() for each in grads]
