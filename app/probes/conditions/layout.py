"""Probes whether backward depends on the memory layout of the incoming gradient."""

from collections.abc import Iterator

import torch

from app.probes.calls.copies import has_gradient
from app.probes.observation import Observation
from app.probes.probed_call import ProbedCall
from app.probes.reference.draws import dense_draw


def probe_layout(examined: ProbedCall, *, is_changed: bool) -> list[Observation]:
    """Probe several layouts. `is_changed`: whether backward changes its incoming gradient, which is impossible with an expanded one."""
    applied = examined.prepared.apply()
    draw = dense_draw(applied, torch.Generator().manual_seed(13))
    for place in applied.differentiable:
        for name, grad in layouts(draw.grads[place]):
            examined.deadline.check()
            if is_changed and name == "expanded":
                continue
            expected = examined.prepared.apply().gradients(replaced(draw.grads, place, grad.clone(memory_format=torch.contiguous_format)))
            try:
                got = examined.prepared.apply().gradients(replaced(draw.grads, place, grad))
            except (Exception, SystemExit) as error:
                return [examined.observe("assumes-contiguous", name=name, error=type(error).__name__)]
            for differing in examined.apart(expected, got):
                values = examined.difference(differing, expected[differing], got[differing])
                return [examined.observe("assumes-contiguous", name=name, **values)]
    return []


def replaced(grads: tuple[torch.Tensor | None, ...], place: int, grad: torch.Tensor) -> list[torch.Tensor | None]:
    return [grad if each == place else None if other is None else other.clone() for each, other in enumerate(grads)]


def layouts(grad: torch.Tensor | None) -> Iterator[tuple[str, torch.Tensor]]:
    """Yield gradients that are not contiguous, with values drawn like those of `grad`, and the names of their layouts."""
    if grad is None or not grad.dim() or has_gradient(grad):
        return
    if grad.dim() > 1:
        yield "transposed", grad.transpose(0, -1).contiguous().transpose(0, -1)
    wide = torch.zeros(*grad.shape, 2, dtype=grad.dtype, device=grad.device)
    wide[..., 0] = grad
    yield "sliced", wide[..., 0]
    yield "expanded", grad.reshape(-1)[:1].reshape(()).expand(grad.shape) if grad.numel() else grad
