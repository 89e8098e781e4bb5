import torch
from gradroom import Subject, check, draw, mistake


def drawn():
    low, high = draw.tensor((2,), high=0.2, grad=False), draw.tensor((2,), low=0.8, grad=False)
    return [torch.cat([low, high]).requires_grad_(), draw.tensor((), low=0.4, high=0.6)]


above = Subject("Above", drawn)


@check
def values():
    above.values()


@check
def gradients():
    above.gradients()
    above.linear()
    above.gradcheck()


@check
def unchanged():
    above.untouched()


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
    return right and not above.holds("untouched")
