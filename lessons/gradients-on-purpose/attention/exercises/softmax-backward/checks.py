import torch
from gradroom import Subject, check, draw, mistake


def rows():
    return [draw.tensor((draw.whole(2, 3), draw.whole(3, 4)))]


softmax = Subject("Softmax", rows)
big = Subject("Softmax", lambda: [draw.tensor((3, 3), low=-900.0, high=900.0)])


@check
def values():
    softmax.values()


@check
def gradient():
    softmax.gradcheck()


@check
def incoming():
    softmax.gradients()
    softmax.linear()
    softmax.interleaved()


@check
def unchanged():
    softmax.untouched()


@check
def large():
    big.values()
    big.gradients()
    softmax.edges()
    Subject("Softmax", lambda: [draw.tensor((3, 1))]).gradients()


@mistake
def own_entry_only():
    def diagonal(g, s):
        p = torch.softmax(s, 1)
        return g * p * (1 - p)

    return softmax.behaves_like(backward=diagonal)


@mistake
def whole_sum():
    def whole(g, s):
        p = torch.softmax(s, 1)
        return p * (g - (p * g).sum())

    def columns(g, s):
        p = torch.softmax(s, 1)
        return p * (g - (p * g).sum(0))

    return softmax.behaves_like(backward=whole) or softmax.behaves_like(backward=columns)


@mistake
def sum_unweighted():
    def unweighted(g, s):
        return torch.softmax(s, 1) * (g - g.sum(1, keepdim=True))

    def mean(g, s):
        return torch.softmax(s, 1) * (g - g.mean(1, keepdim=True))

    return softmax.behaves_like(backward=unweighted) or softmax.behaves_like(backward=mean)
