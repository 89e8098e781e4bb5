"""Whether the gradients are linear in the incoming gradient, as vector-Jacobian products are."""

import torch

from app.probes.draws import IncomingDraw, dense_draw
from app.probes.examined import Examined
from app.probes.observation import Observation

SIZES = 1.0, 100.0, 0.01  # what is clipped may be clipped at any size


def probe_linear(examined: Examined) -> list[Observation]:
    generator = torch.Generator().manual_seed(5)
    for size in SIZES:
        examined.deadline.check()
        a, b = (dense_draw(examined.prepared.apply(), generator) for _ in range(2))
        of_a, of_b, of_both = (
            gradients(examined, each) for each in (combined(a, a, size, 0), combined(b, b, size, 0), combined(a, b, 3 * size, -2 * size))
        )
        expected = {place: 3 * of_a[place] - 2 * of_b[place] for place in of_a}
        for place in examined.apart(expected, of_both):
            return [examined.observe("nonlinear-in-grad-output", **examined.difference(place, expected[place], of_both[place]))]
    return []


def combined(first: IncomingDraw, second: IncomingDraw, one: float, other: float) -> list[torch.Tensor | None]:
    pairs = zip(first.grads, second.grads, strict=True)
    return [None if a is None or b is None else one * a + other * b for a, b in pairs]


def gradients(examined: Examined, incoming: list[torch.Tensor | None]) -> dict[int, torch.Tensor]:
    return examined.prepared.apply().gradients(incoming)
