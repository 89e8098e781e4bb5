import torch
from gradroom import Subject, check, draw, given, mistake, value

given("loss", "sample_gradients")


def batch():
    n, k = draw.whole(2, 4), draw.whole(2, 3)
    y = torch.tensor([draw.choice([-1.0, 1.0]) for _ in range(n)], dtype=torch.float64)
    return [draw.tensor((k,), grad=False), draw.tensor((n, k), grad=False), y]


logistic = Subject("Logistic", lambda: [draw.tensor()])
gradients = Subject("sample_gradients", batch)


@check
def values():
    logistic.values()


@check
def gradient():
    logistic.gradcheck()
    logistic.linear()


@check
def samples():
    gradients.values()


@check
def second():
    logistic.gradgradcheck()


@mistake
def batch_gradient():
    return "vmap" not in value("sample_gradients.__code__.co_names")


@mistake
def old_style():
    return gradients.holds("raises", RuntimeError, "setup_context", order=0)


@mistake
def no_rule():
    return gradients.holds("raises", RuntimeError, "vmap support", order=0)
