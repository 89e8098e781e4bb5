"""Finds how a wrong gradient follows from the right one, from all draws at once and without the source."""

from collections.abc import Sequence
from typing import NamedTuple

import torch

from app.probes.observation import Value
from app.probes.wrong_gradient import Draw

CLOSE = 1e-6
FEWEST_ENTRIES = 2  # the fewest entries of the right gradient, over all draws, from which anything is concluded


class Relation(NamedTuple):
    """How a wrong gradient follows from the right one. `code`: the pitfall."""

    code: str
    values: dict[str, Value] = {}


def find_relation(draws: Sequence[Draw]) -> Relation | None:
    """Return how the actual gradients follow from the right ones; None if no known relation holds."""
    expected, got = torch.stack([each.expected for each in draws]), torch.stack([each.got for each in draws])
    known = torch.isfinite(expected).all(0)
    if not bool(torch.isfinite(got).all()) or not bool(known.any()) or int((expected != 0).sum()) < FEWEST_ENTRIES:
        return None
    if not bool(known.all()):
        draws = [Draw(each.incoming, each.expected[known], each.got[known]) for each in draws]
        expected, got = expected[:, known], got[:, known]
    if is_close(got, expected):  # too little is wrong to find a relation
        return None
    if not bool(got.any()):
        return Relation("zero-gradient")
    if is_close(got, -expected):
        return Relation("wrong-sign")
    if got.is_complex() and (is_close(got, expected.conj()) or is_close(got.conj(), expected)):
        return Relation("conjugate-missing")
    if ignores_incoming(draws):
        return Relation("ignores-grad-output")
    if (factor := common_factor(draws)) is not None:
        return Relation("wrong-factor", {"factor": factor})
    if expected.dim() >= 3 and expected.shape[-1] == expected.shape[-2] > 1 and is_close(got, expected.mT):
        return Relation("transposed-gradient")
    return None


def is_close(got: torch.Tensor, expected: torch.Tensor) -> bool:
    scale = float(expected.abs().max())
    return float((got - expected).abs().max()) <= CLOSE * scale


def ignores_incoming(draws: Sequence[Draw]) -> bool:
    """Return whether different incoming gradients give the same gradient."""
    first = draws[0]
    others = [draw for draw in draws[1:] if not same_incoming(draw, first)]
    return len(others) > 0 and all(is_close(draw.got, first.got) for draw in others) and bool(first.got.any())


def same_incoming(one: Draw, other: Draw) -> bool:
    pairs = zip(one.incoming, other.incoming, strict=True)
    return all(a is b or (a is not None and b is not None and torch.equal(a, b)) for a, b in pairs)


def common_factor(draws: Sequence[Draw]) -> float | None:
    """Return c if the gradient is c times the right one, else None.

    c is fitted on the draw with the largest gradient, and has to hold for the others.
    """
    fitted = max(draws, key=lambda draw: float(draw.expected.abs().sum()))
    others = [draw for draw in draws if draw is not fitted and bool(draw.expected.any())]
    if fitted.expected.is_complex() or not (others or int((fitted.expected != 0).sum()) >= FEWEST_ENTRIES):
        return None
    factor = float((fitted.got * fitted.expected).sum() / (fitted.expected**2).sum())
    if abs(factor) < 1e-12 or not all(is_close(draw.got, factor * draw.expected) for draw in draws if bool(draw.expected.any())):
        return None
    return factor


def swapped_with(got: torch.Tensor, expected: dict[int, torch.Tensor], place: int) -> int | None:
    """Return the other input whose right gradient this is; None if there is none."""
    for other, gradient in expected.items():
        if other != place and gradient.shape == got.shape and bool(gradient.any()) and is_close(got, gradient):
            return other
    return None
