"""Compares each first-order gradient of `backward` with that of the reference."""

from typing import NamedTuple

import torch

from app.probes.calls.prepared_call import PreparedCall
from app.probes.reference.draws import IncomingDraw, all_draws
from app.probes.reference.real_view import index_of, real_vector
from app.probes.reference.reference import GradientReference
from app.probes.time_limit import TimeLimit
from app.probes.wrong_gradient import Draw, Entry, WrongGradient

# Tolerances relative to an entry, to the largest entry of its draw, and to the largest of all draws; an iteration or a series may leave
# such errors.
RELATIVE, OF_LARGEST, FLOOR = 1e-3, 1e-3, 1e-9
CONFIRMED = 4  # how many draws, and how many entries of each, are compared with finite differences


class DrawComparison(NamedTuple):
    """All draws of one input. `drawn`: their incoming gradients. `wrong`: the numbers of the draws in which an entry may be wrong."""

    input: int
    drawn: list[IncomingDraw]
    draws: list[Draw]
    wrong: list[int]

    @property
    def wrong_outputs(self) -> set[int]:
        """The outputs whose incoming gradient alone gives a wrong gradient."""
        return {output for number in self.wrong if (output := self.drawn[number].output) is not None}


def compare(
    prepared: PreparedCall, reference: GradientReference, deadline: TimeLimit, drawn: list[IncomingDraw] | None = None
) -> list[DrawComparison]:
    """Return one comparison for each input. Raises what the Function raises, and OutOfTime."""
    drawn = drawn or list(all_draws(reference.applied))
    found: dict[int, list[Draw]] = {place: [] for place in prepared.inputs}
    for draw in drawn:
        deadline.check()
        got = prepared.apply().gradients([None if each is None else each.clone() for each in draw.grads])
        expected = reference.gradients(draw.grads)
        for place, draws in found.items():
            draws.append(Draw(draw.grads, expected[place], got[place]))
    return [DrawComparison(place, drawn, draws, suspicious(draws)) for place, draws in found.items()]


def suspicious(draws: list[Draw]) -> list[int]:
    """Return the numbers of the draws with an entry that differs. Those with the largest relative difference come first."""
    largest = max((scale_of(each) for each in draws), default=0.0)
    ranks = [(float(excess(each, largest).max()) if each.got.numel() else 0.0, number) for number, each in enumerate(draws)]
    return [number for rank, number in sorted(ranks, key=lambda each: (-each[0], each[1])) if rank > 1]


def excess(draw: Draw, largest: float) -> torch.Tensor:
    """Return how many times larger each entry's difference is than the tolerance; 0 for unknown entries."""
    expected, got = real_vector(draw.expected), real_vector(draw.got)
    tolerated = RELATIVE * expected.abs() + OF_LARGEST * scale_of(draw) + FLOOR * largest + 1e-300
    found = (expected - got).abs() / tolerated
    found = torch.where(expected.isfinite() & ~got.isfinite(), torch.inf, found)
    return torch.where(expected.isfinite(), found, 0.0)


def scale_of(draw: Draw) -> float:
    expected = real_vector(draw.expected)
    known = expected[expected.isfinite()].abs()
    return float(known.max()) if known.numel() else 0.0


def find_wrong(comparison: DrawComparison, reference: GradientReference) -> WrongGradient | None:
    """Return what is wrong with the gradient of an input, if finite differences confirm an entry."""
    if is_right_for_symmetric(reference.prepared.arguments[comparison.input], comparison.draws):
        reference.symmetric.add(comparison.input)
        return None
    largest = max((scale_of(each) for each in comparison.draws), default=0.0)
    for number in shown_first(comparison)[:CONFIRMED]:
        draw = comparison.draws[number]
        for position in worst_entries(draw, largest):
            if is_confirmed(draw, position, *reference.confirm(comparison.input, position, draw.incoming)):
                expected, got = real_vector(draw.expected)[position], real_vector(draw.got)[position]
                entry = Entry(index_of(position, draw.expected), float(expected), float(got))
                output = comparison.wrong_outputs.pop() if len(comparison.wrong_outputs) == 1 else None
                return WrongGradient(comparison.input, output, comparison.draws, number, entry)
    return None


def worst_entries(draw: Draw, largest: float) -> list[int]:
    """Return the positions of the entries whose difference is not tolerated, of the largest at most `CONFIRMED`."""
    beyond = excess(draw, largest)
    return [int(each) for each in beyond.argsort(descending=True, stable=True)[:CONFIRMED] if beyond[each] > 1]


def is_right_for_symmetric(argument: torch.Tensor, draws: list[Draw]) -> bool:
    """Return whether the input is a symmetric matrix and its gradient is the symmetric part of the expected one.

    This is the convention of linear algebra, whose routines read one triangle only. Then the other part of the gradient has no meaning.
    """
    if not is_symmetric(argument):
        return False
    if not all(is_symmetric(each.got) for each in draws) and not reads_one_triangle(draws):
        return False
    return not suspicious([each._replace(expected=symmetric_part(each.expected), got=symmetric_part(each.got)) for each in draws])


def symmetric_part(matrix: torch.Tensor) -> torch.Tensor:
    return (matrix + matrix.mH) / 2


def reads_one_triangle(draws: list[Draw]) -> bool:
    """Return whether forward ignores the entries above, or those below, the diagonal."""
    above = max((scale_of(each._replace(expected=each.expected.triu(1))) for each in draws), default=0.0)
    below = max((scale_of(each._replace(expected=each.expected.tril(-1))) for each in draws), default=0.0)
    return min(above, below) <= 1e-6 * max(above, below)


def is_symmetric(matrix: torch.Tensor) -> bool:
    """Return whether a matrix is symmetric within single precision: one that was computed as a product differs by rounding."""
    if matrix.dim() < 2 or matrix.shape[-1] != matrix.shape[-2]:
        return False
    largest = float(matrix.detach().abs().max()) if matrix.numel() else 0.0
    return torch.allclose(matrix, matrix.mH, rtol=1e-5, atol=1e-6 * largest)


def shown_first(comparison: DrawComparison) -> list[int]:
    """Return the wrong draws in the order in which they are shown: one output before all outputs, one-hot before dense."""
    return sorted(
        comparison.wrong[: 4 * CONFIRMED], key=lambda number: (comparison.drawn[number].output is None, comparison.drawn[number].dense)
    )


def is_confirmed(draw: Draw, position: int, value: float, error: float) -> bool:
    expected, got = float(real_vector(draw.expected)[position]), float(real_vector(draw.got)[position])
    if not error < torch.inf:
        return False
    if got != got or abs(got) == torch.inf:
        return True
    apart = abs(expected - got)
    return abs(value - expected) <= 0.1 * apart + error and abs(value - got) > 0.5 * apart and apart > 10 * error
