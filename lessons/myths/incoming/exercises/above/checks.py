import torch
from gradroom import Subject, check, draw, mistake


def drawn():
    low, high = draw.tensor((2,), high=0.2, grad=False), draw.tensor((2,), low=0.8, grad=False)
    return [torch.cat([low, high]).reshape(2, 2).requires_grad_(), draw.tensor((), low=0.4, high=0.6)]


above = Subject("Above", drawn)
anywhere = Subject("Above", lambda: [draw.tensor((3, 2)), draw.tensor((), low=0.4, high=0.6)])  # others are above in each call
without_grad = Subject("Above", lambda: [one.detach() for one in drawn()])


def at_level():
    x, level = drawn()
    return [torch.cat([x.detach().flatten(), level.detach().expand(2)]).requires_grad_(), level]


reached = Subject("Above", at_level)


@check
def values():
    above.values()


@check
def gradients():
    above.gradients()
    above.linear()
    above.gradcheck()


@check
def level():
    reached.gradients()


@check
def unchanged():
    above.untouched()


@check
def edges():
    above.edges(without=["incoming-expanded", "incoming-gaps"])  # that is what layouts asks
    above.scale()


@check
def calls():
    anywhere.interleaved()


@check
def layouts():
    above.strides()


@mistake
def counted():
    return above.behaves_like(backward=lambda g, x, level: [g * (x > level), -(x > level).to(x.dtype).sum()])


@mistake
def not_gated():
    return above.behaves_like(backward=lambda g, x, level: [g * (x > level), -g.sum()])


@mistake
def still_in_place():
    right = above.behaves_like(backward=lambda g, x, level: [g * (x > level), -(g * (x > level)).sum()])
    return right and without_grad.holds("untouched") and not above.holds("untouched")
