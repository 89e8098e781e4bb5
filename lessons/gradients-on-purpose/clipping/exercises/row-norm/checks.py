import torch
from gradroom import Subject, check, draw, mistake


def matrix():
    return draw.tensor((draw.whole(2, 4), draw.whole(2, 3)))


def large_rows():
    x = draw.tensor((3, 2), low=0.5, grad=False) * torch.tensor([[1.0], [10.0], [0.1]], dtype=torch.float64)
    return [x.requires_grad_(), draw.number(0.5, 2.0)]


tight = Subject("ClipRows", lambda: [matrix(), draw.number(0.01, 0.1)])
middle = Subject("ClipRows", lambda: [matrix(), draw.number(0.4, 1.2)])
wide = Subject("ClipRows", lambda: [matrix(), draw.number(100.0, 200.0)])
spread = Subject("ClipRows", large_rows)


def scaled(g, limit):
    return g * (limit / g.norm(dim=1, keepdim=True)).clamp(max=1)


@check
def values():
    spread.values()
    tight.values()


@check
def gradient():
    tight.gradients()
    middle.gradients()
    middle.gradients()
    wide.gradients()


@check
def untouched():
    tight.untouched()


@check
def zero_row():
    wide.gradcheck()  # sends a 1 for one entry, and rows of zeros


@check
def rows():
    middle.edges(without=["incoming-zero"])  # that is what zero_row asks
    middle.scale()
    Subject("ClipRows", lambda: [draw.tensor((4, 1)), draw.number(0.4, 1.2)]).gradients()


@check
def calls():
    middle.interleaved()


@mistake
def in_forward():
    return spread.behaves_like(forward=lambda x, limit: scaled(x, limit))


@mistake
def whole():
    return middle.behaves_like(backward=lambda g, x, limit: g * (limit / g.norm()).clamp(max=1))


@mistake
def in_place():
    return tight.holds("values") and tight.holds("gradients") and not tight.holds("untouched")
