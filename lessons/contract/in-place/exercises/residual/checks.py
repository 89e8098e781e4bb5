import torch
from gradroom import Subject, check, draw, given, mistake

given("changed")

residual = Subject("residual", lambda: [draw.apart(draw.tensor(), by=0.3)])
quartic = Subject("Quartic", lambda: [draw.tensor()])
zeros_among = Subject(
    "residual", lambda: [torch.tensor([0.0, draw.number(0.5, 1.5), 0.0, -20.0, 20.0], dtype=torch.float64, requires_grad=True)]
)
changed = Subject("changed", lambda: [draw.apart(draw.tensor(), by=0.3)])


@check
def values():
    residual.values()
    zeros_among.values(times=1)
    residual.edges(
        kinks=["one-zero", "zeros", "ties", "large", "low", "tiny", "small", "one-row", "many-rows"],
        without=["transposed", "gaps", "float32", "incoming", "again"],
    )


@check
def gradient():
    residual.gradcheck()
    zeros_among.gradcheck()
    quartic.interleaved()


@check
def raises():
    changed.raises(RuntimeError, "modified by an inplace operation", order=1)


@mistake
def still_kept():
    return changed.behaves_like(backward=lambda g, x: g * 4 * (2 * x) ** 3)


@mistake
def still_in_place():
    return residual.holds("raises", RuntimeError, "modified by an inplace operation", order=1)


@mistake
def copied():
    return changed.behaves_like(backward=lambda g, x: g * 4 * x**3)
