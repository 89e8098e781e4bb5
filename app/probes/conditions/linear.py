"""Probes whether the gradients are linear in the incoming gradient, as vector-Jacobian products are."""

import torch

from app.probes.calls.prepared_call import PreparedCall
from app.probes.gradients.intended import MOVES, SURROGATE, is_identity, is_identity_elsewhere
from app.probes.observation import Observation
from app.probes.probed_call import ProbedCall
from app.probes.reference.draws import dense_draw
from app.probes.reference.finite_differences import Differences

SIZES = 1.0, 100.0, 0.01  # several sizes, because gradients may be clipped at any size

TOLERANCE = 1e-2  # relative; a solver in backward may stop early


def probe_linear(examined: ProbedCall) -> list[Observation]:
    return probe_zero(examined) or probe_sums(examined)


def probe_zero(examined: ProbedCall) -> list[Observation]:
    """Find gradients that are the same for every incoming gradient."""
    generator = torch.Generator().manual_seed(41)
    first, second = (dense_draw(examined.prepared.apply(), generator).grads for _ in range(2))
    zero, of_first, of_second = (weighted(examined, first, second, *each) for each in ((0, 0), (1, 0), (0, 1)))
    ignoring = [place for place, each in zero.items() if bool(each.any()) and bool(each.isfinite().all())]
    ignoring = [place for place in ignoring if place not in {*examined.apart(zero, of_first), *examined.apart(zero, of_second)}]
    return [examined.observe("ignores-grad-output", input=examined.native.name_of(place)) for place in ignoring[:1]]


def probe_sums(examined: ProbedCall) -> list[Observation]:
    """Compare the gradients of a sum with factors 3 and -5 to the sum of the gradients.

    The sum of these factors is neither 1 nor another size of a clipped gradient.
    """
    generator = torch.Generator().manual_seed(5)
    for size in SIZES:
        examined.deadline.check()
        first, second = (dense_draw(examined.prepared.apply(), generator).grads for _ in range(2))
        of_first, of_second = weighted(examined, first, second, size, 0), weighted(examined, first, second, 0, size)
        got = weighted(examined, first, second, 3 * size, -5 * size)
        expected = {place: 3 * of_first[place] - 5 * of_second[place] for place in of_first}
        for place in examined.apart(expected, got, TOLERANCE):
            return [examined.observe(code_of(examined, place), **examined.difference(place, expected[place], got[place]))]
    return []


def weighted(
    examined: ProbedCall, first: tuple[torch.Tensor | None, ...], second: tuple[torch.Tensor | None, ...], one: float, other: float
) -> dict[int, torch.Tensor]:
    """Return the gradients for a weighted sum of two incoming gradients."""
    pairs = zip(first, second, strict=True)
    return examined.prepared.apply().gradients([None if a is None or b is None else one * a + other * b for a, b in pairs])


def code_of(examined: ProbedCall, place: int) -> str:
    """Return the code of what is observed, or of a hint. With an identity, it depends on whether something is added to every gradient."""
    if not is_of_identity(examined, place):
        return "clipped-gradient" if is_of_steps(examined.prepared, place) else "nonlinear-in-grad-output"
    applied = examined.prepared.apply()
    added = applied.gradients(applied.zeros())[place]  # as by a penalty
    return SURROGATE if bool(added.isfinite().all()) and bool(added.any()) else "clipped-gradient"


def is_of_identity(examined: ProbedCall, place: int) -> bool:
    """Return whether forward returns this input, so that the only purpose of backward is to change the gradient."""
    prepared, applied = examined.prepared, examined.prepared.apply()
    return any(
        is_identity(prepared.arguments[place], applied.outputs[each]) and is_identity_elsewhere(prepared, place, each)
        for each in applied.differentiable
    )


def is_of_steps(prepared: PreparedCall, place: int) -> bool:
    """Return whether the outputs are constant around the input, but not far from it."""
    differences = Differences(prepared, place)
    is_constant = not any(bool(differences.moves(amount).any()) for amount in (1e-5, -1e-5, 2e-5))
    return is_constant and any(bool(differences.moves(amount).any()) for amount in MOVES)
