import torch
from gradroom import Subject, check, draw, mistake


def weights():
    inside = draw.tensor((4,), low=-0.95, high=0.95, grad=False)
    above = draw.tensor((2,), low=1.1, high=2.5, grad=False)
    below = draw.tensor((2,), low=-2.5, high=-1.1, grad=False)
    return [torch.cat([above, inside, below]).reshape(4, 2).requires_grad_()]


def batch(factor=1.0, by=0.0):
    n, k = draw.whole(2, 4), draw.whole(2, 4)
    logits = factor * draw.tensor((n, k), grad=False) + by
    target = torch.tensor([draw.whole(0, k - 1) for _ in range(n)])
    return [logits.requires_grad_(), target]


def confident_and_wrong():
    logits, target = batch()
    with torch.no_grad():
        logits[0] += 1000.0
        logits[0, target[0]] = -1000.0
    return [logits, target]


def whole():
    x = draw.tensor((3, 4))
    target = torch.tensor([draw.whole(0, 1) for _ in range(3)])
    return [*weights(), x, target]


quantise = Subject("Quantise", weights)
anywhere = Subject("Quantise", lambda: [draw.tensor((4, 2))])  # others are within the range in each call
at_ends = Subject("Quantise", lambda: [torch.tensor([-1, 1, -900, 900, 1e-30], dtype=torch.float64, requires_grad=True)])
cross = Subject("CrossEntropy", batch)
above = Subject("CrossEntropy", lambda: batch(by=1000.0))
below = Subject("CrossEntropy", lambda: batch(by=-1000.0))
wrong = Subject("CrossEntropy", confident_and_wrong)
both = Subject("loss", whole)


@check
def quantised():
    quantise.values()


@check
def gate():
    quantise.gradients()
    quantise.linear()
    at_ends.gradients()
    anywhere.interleaved()
    anywhere.untouched()


@check
def entropy():
    cross.values()


@check
def entropy_gradient():
    cross.gradients()
    cross.gradcheck()
    both.values()
    both.gradients()


@check
def large_logits():
    for subject in (above, below, wrong):
        subject.values()
        subject.gradients()
    cross.edges()
    cross.interleaved()
    cross.untouched()


@mistake
def no_gate():
    return quantise.behaves_like(backward=lambda g, w: g)


@mistake
def not_divided():
    def of_the_sum(g, logits, target):
        hot = torch.nn.functional.one_hot(target, logits.shape[1])
        return g * (torch.softmax(logits, 1) - hot)

    return cross.behaves_like(backward=of_the_sum)


@mistake
def overflow():
    return cross.holds("gradients") and not (above.holds("values") and below.holds("values") and wrong.holds("values"))
