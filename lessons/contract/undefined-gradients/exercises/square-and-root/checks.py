import torch
from gradroom import Subject, check, draw, mistake

both = Subject("SquareAndRoot", lambda: [draw.tensor(low=0.3, high=3.0)])


def with_zero():
    some = draw.tensor((3,), low=0.3, high=3.0, grad=False)
    return [torch.cat([some, torch.zeros(1, dtype=torch.float64)]).requires_grad_()]


at = Subject("squared", with_zero)
both_at = Subject("SquareAndRoot", with_zero)


@check
def values():
    both.values()


@check
def gradient():
    both.gradients()


@check
def at_zero():
    at.gradients()


@check
def numerical():
    both_at.gradients()
    both.gradcheck()


@mistake
def not_tested():
    return at.holds("raises", TypeError, "NoneType", order=1)


@mistake
def root_left_out():
    return both.behaves_like(backward=lambda g, h, x: g * 2 * x)


@mistake
def still_zeros():
    return both.holds("gradients") and not at.holds("gradients")
