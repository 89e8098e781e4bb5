import torch
from gradroom import Subject, check, draw, mistake


def both_sides():
    """Two entries inside of every width that is drawn, two outside, of either sign."""
    parts = [(-0.25, -0.05), (0.05, 0.25), (-2.0, -1.2), (1.2, 2.0)]
    return torch.cat([draw.tensor((1,), low=low, high=high, grad=False) for low, high in parts]).requires_grad_()


given = Subject("Huber", lambda: [both_sides(), draw.number(0.3, 0.7)])
default = Subject("Huber", lambda: [both_sides()])
at_width = Subject("Huber", lambda: [torch.tensor([-3.0, 0.0, 3.0], dtype=torch.float64, requires_grad=True), 3])
far = Subject("Huber", lambda: [torch.tensor([-1e15, 1e15, 1e200], dtype=torch.float64, requires_grad=True), 0.5])
far_in_single = Subject("Huber", lambda: [torch.tensor([-1e6, 1e6], requires_grad=True), 0.5])


@check
def values():
    given.values()
    default.values()


@check
def given_width():
    given.gradcheck()
    given.gradients()
    given.linear()
    given.interleaved()
    given.untouched()


@check
def default_width():
    default.gradients()


@check
def edges():
    at_width.gradients()
    far.gradients()
    far.values(times=1)
    given.edges(without=["float32"])  # that is what dtypes asks
    default.edges(without=["float32"])


@check
def dtypes():
    given.dtypes()
    far_in_single.values(times=1)


@mistake
def default_in_backward():
    return given.holds("values") and given.behaves_like(backward=lambda g, x, width: g * x.clamp(-1, 1))


@mistake
def one_gradient():
    return given.holds("raises", "RuntimeError", "expected 2, got 1")


@mistake
def zero_outside():
    return given.behaves_like(backward=lambda g, x, width: g * x * (x.abs() <= width))
