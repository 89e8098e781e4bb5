import torch
from gradroom import Subject, check, draw, mistake


def descent(with_penalty=True, mean=True):
    """What PyTorch gives."""

    def train(points, targets, weights, rate, steps, penalty):
        x, t, w = (torch.tensor(one, dtype=torch.float64) for one in (points, targets, weights))
        hidden = (len(w) - 1) // 3
        for _ in range(steps):
            x.requires_grad_()
            w = w.detach().requires_grad_()
            a, b, c = w[:-1].reshape(3, hidden)
            out = (c * torch.tanh(a * x[:, None] + b)).sum(dim=1) + w[-1]
            (slope,) = torch.autograd.grad(out.sum(), x, create_graph=True)
            loss = (out - t) ** 2 + (penalty * slope**2 if with_penalty else 0)
            w = w - rate * torch.autograd.grad(loss.mean() if mean else loss.sum(), w)[0]
        return w.tolist()

    return train


def listed(count, low=-1.5, high=1.5):
    return draw.tensor((count,), low, high, grad=False).tolist()


def arguments(count, hidden, steps, penalty):
    return lambda: [listed(count), listed(count), listed(3 * hidden + 1), draw.number(0.02, 0.08), steps, penalty()]


def none():
    return 0.0


def some():
    return draw.number(0.3, 0.8)


right = descent()
one_plain = Subject("train", arguments(3, 2, 1, none), like=right)
one_with = Subject("train", arguments(3, 2, 1, some), like=right)
wide_with = Subject("train", arguments(5, 4, 1, some), like=right)
many_with = Subject("train", arguments(10, 4, 20, some), like=right)
single_with = Subject("train", arguments(1, 1, 3, some), like=right)
many = Subject("train", arguments(10, 4, 20, none), like=right)
single = Subject("train", arguments(1, 1, 3, none), like=right)
no_step = Subject("train", arguments(3, 2, 0, none), like=right)


def edge_arguments():
    """No weight but the last one, and points so large that tanh is 1 or -1 there; two of the points are equal."""
    points, weights = listed(4), listed(7)
    zeros = [0.0] * 6 + weights[6:]
    large = [900.0, -900.0, points[2], points[2]]
    targets = listed(4)
    return [[points, targets, zeros], [large, targets, weights], [points, targets, [0.0] * 7]]


def at_edges(penalty):
    return [Subject("train", lambda k=k: [*edge_arguments()[k], draw.number(0.02, 0.08), 2, penalty()], like=right) for k in range(3)]


edges_plain, edges_with = at_edges(none), at_edges(some)


@check
def plain():
    one_plain.values()


@check
def penalty():
    one_with.values()
    wide_with.values()
    single_with.values(times=2)
    for subject in [many_with, *edges_with]:
        subject.values(times=1)


@check
def several():
    single.values(times=2)
    many.values(times=1)
    no_step.values(times=1)


@check
def edges():
    for subject in edges_plain:
        subject.values(times=1)


def is_like(subject, way):
    """Whether its outputs are those of `way`, which are lists of numbers."""
    return Subject("train", subject, like=way).holds("values")


@mistake
def constant_penalty():
    return is_like(arguments(3, 2, 1, none), right) and is_like(arguments(3, 2, 1, some), descent(with_penalty=False))


@mistake
def summed():
    return is_like(arguments(3, 2, 1, none), descent(mean=False))
