import torch
from gradroom import Subject, check, draw, mistake


def both_sides():
    closed = draw.tensor((2,), high=-0.1, grad=False)
    opened = draw.tensor((2,), low=0.1, grad=False)
    return [torch.cat([closed, opened]).requires_grad_()]


squared = Subject("SquaredReLU", both_sides)
far_above = Subject("SquaredReLU", lambda: [torch.full((3,), 1e20, requires_grad=True)])
far_below = Subject("SquaredReLU", lambda: [torch.tensor([-1e20, -1.0, 2.0], requires_grad=True)])


@check
def values():
    squared.values()


@check
def gradient():
    squared.gradients()
    squared.gradcheck()


@check
def incoming():
    squared.linear()
    squared.scale()
    squared.strides()
    squared.interleaved()
    squared.untouched()


@check
def edges():
    squared.edges(without=["float32"])  # that is what single_precision asks


@check
def single_precision():
    squared.dtypes()
    far_below.values(times=1)
    far_below.gradients()
    far_above.gradients()  # where the square is infinite, its slope is not


@mistake
def no_gate():
    return squared.behaves_like(backward=lambda g, x: 2 * x * g)


@mistake
def gate_only():
    return squared.behaves_like(backward=lambda g, x: torch.where(x > 0, g, 0))


@mistake
def not_unpacked():
    said = [(TypeError, "tuple"), (TypeError, "only integer tensors"), (AttributeError, "'tuple' object has no attribute")]
    return any(squared.holds("raises", kind, text) for kind, text in said)
