"""Whether the gradients are linear in the incoming gradient, as vector-Jacobian products are."""

import torch

from app.probes.draws import dense_draw
from app.probes.intended import SURROGATE, is_identity
from app.probes.observation import Observation
from app.probes.probed_call import ProbedCall

SIZES = 1.0, 100.0, 0.01  # what is clipped may be clipped at any size

TOLERANCE = 1e-2  # relative: a solver in backward may end early

Gradients = dict[int, torch.Tensor]


def probe_linear(examined: ProbedCall) -> list[Observation]:
    return probe_zero(examined) or probe_sums(examined)


def probe_zero(examined: ProbedCall) -> list[Observation]:
    """Find gradients that are the same whatever comes in."""
    generator = torch.Generator().manual_seed(41)
    first, second = (dense_draw(examined.prepared.apply(), generator).grads for _ in range(2))
    zero, of_first, of_second = (weighted(examined, first, second, *each) for each in ((0, 0), (1, 0), (0, 1)))
    ignoring = [place for place, each in zero.items() if bool(each.any()) and bool(each.isfinite().all())]
    ignoring = [place for place in ignoring if place not in {*examined.apart(zero, of_first), *examined.apart(zero, of_second)}]
    return [examined.observe("ignores-grad-output", input=examined.native.name_of(place)) for place in ignoring[:1]]


def probe_sums(examined: ProbedCall) -> list[Observation]:
    """Compare with 3 and -5, whose sum is neither 1 nor another size of a clipped gradient."""
    generator = torch.Generator().manual_seed(5)
    for size in SIZES:
        examined.deadline.check()
        first, second = (dense_draw(examined.prepared.apply(), generator).grads for _ in range(2))
        of_first, of_second = weighted(examined, first, second, size, 0), weighted(examined, first, second, 0, size)
        got = weighted(examined, first, second, 3 * size, -5 * size)
        expected = {place: 3 * of_first[place] - 5 * of_second[place] for place in of_first}
        for place in examined.apart(expected, got, TOLERANCE):
            code = of_identity(examined, place) if is_of_identity(examined, place) else "nonlinear-in-grad-output"
            return [examined.observe(code, **examined.difference(place, expected[place], got[place]))]
    return []


def weighted(
    examined: ProbedCall, first: tuple[torch.Tensor | None, ...], second: tuple[torch.Tensor | None, ...], one: float, other: float
) -> Gradients:
    """Return the gradients of a weighted sum of two incoming gradients."""
    pairs = zip(first, second, strict=True)
    return examined.prepared.apply().gradients([None if a is None or b is None else one * a + other * b for a, b in pairs])


def is_of_identity(examined: ProbedCall, place: int) -> bool:
    """Return whether forward returns this input, so that backward is there only to change the gradient."""
    outputs = examined.prepared.apply().differentiable_outputs()
    return any(is_identity(examined.prepared.arguments[place], each) for each in outputs)


def of_identity(examined: ProbedCall, place: int) -> str:
    """Return the hint: something may be added to every gradient, as a penalty is."""
    applied = examined.prepared.apply()
    added = applied.gradients(applied.zeros())[place]
    return SURROGATE if bool(added.isfinite().all()) and bool(added.any()) else "clipped-gradient"
