import math

import torch
from gradroom import Subject, check, draw, mistake


def half(q, keys, size=1.0):
    k = draw.tensor((keys, q.shape[1]), grad=False) * size
    v = draw.tensor((keys, 3), grad=False)
    scores = q @ k.T / math.sqrt(q.shape[1])
    return [torch.softmax(scores, 1) @ v, scores.logsumexp(1, keepdim=True)]


def halves(first, second, size=1.0, rows=4):
    q = draw.tensor((rows, 2), grad=False) * size
    return [*half(q, first, size), *half(q, second, size)]


def far_apart():
    out_a, log_a, out_b, log_b = halves(3, 3)
    shift = draw.tensor((4, 1), low=800.0, high=900.0, grad=False)
    sign = torch.tensor([[1.0], [-1.0], [1.0], [-1.0]], dtype=torch.double)
    return [out_a, log_a + sign * shift, out_b, log_b + sign * shift]


def opposite():
    out_a, log_a, out_b, log_b = halves(3, 3)
    shift = torch.tensor([[900.0], [-900.0], [450.0], [-450.0]], dtype=torch.double)
    return [out_a, log_a + shift, out_b, log_b - shift]


def as_large():
    out_a, log_a, out_b, _ = halves(3, 3)
    return [out_a, log_a, out_b, log_a.clone()]


alike = Subject("merge", as_large)
equal = Subject("merge", lambda: halves(3, 3, rows=draw.whole(2, 5)))
unequal_sizes = Subject("merge", lambda: halves(6, draw.whole(1, 2)))
shifted = Subject("merge", far_apart)
contrary = Subject("merge", opposite)


@check
def output():
    equal.values()


@check
def unequal():
    unequal_sizes.values()


@check
def rows():
    equal.edges(without=["large", "low"])
    alike.values()
    Subject("merge", lambda: [one[:, :1].detach() for one in halves(3, 2)]).values(times=1)  # one column


@check
def large():
    shifted.values()
    contrary.values()


@mistake
def no_shift():
    return equal.holds("values") and not (shifted.holds("values") and contrary.holds("values"))


@mistake
def equal_shares():
    def mean(out_a, log_a, out_b, log_b):
        return (out_a + out_b) / 2, torch.logaddexp(log_a, log_b)

    def total(out_a, log_a, out_b, log_b):
        return out_a + out_b, torch.logaddexp(log_a, log_b)

    return equal.behaves_like(forward=mean) or equal.behaves_like(forward=total)


@mistake
def logs_as_shares():
    def shares(out_a, log_a, out_b, log_b):
        total = log_a + log_b
        return (log_a * out_a + log_b * out_b) / total, total

    def joined(out_a, log_a, out_b, log_b):
        total = log_a + log_b
        return (log_a * out_a + log_b * out_b) / total, torch.logaddexp(log_a, log_b)

    return equal.behaves_like(forward=shares) or equal.behaves_like(forward=joined)
