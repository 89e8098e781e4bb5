import torch
from gradroom import Subject, check, draw, expect, given, mistake, value

CHANGE = """
def squared_change(m):
    y = Logistic.apply(m)
    return (y - y.detach()) ** 2  # the gradient that comes in is 0, its derivative is not
"""
ZERO_INCOMING = {
    "en": "Where the gradient that comes in is 0, the second derivative is wrong: that gradient can have a derivative that is not 0.",
    "zh-Hans": "传来的梯度恰好为 0 的地方，二阶导数不对：这个梯度本身的导数不一定是 0。",
}

given("loss", "sample_gradients")


def batch(n=None):
    n, k = n or draw.whole(2, 4), draw.whole(2, 3)
    y = torch.tensor([draw.choice([-1.0, 1.0]) for _ in range(n)], dtype=torch.float64)
    return [draw.tensor((k,), grad=False), draw.tensor((n, k), grad=False), y]


logistic = Subject("Logistic", lambda: [draw.tensor()])
far = Subject("Logistic", lambda: [torch.tensor([900.0, -900.0, 60.0, -60.0], dtype=torch.float64, requires_grad=True)])
gradients = Subject("sample_gradients", batch)
many_samples = Subject("sample_gradients", lambda: batch(30))
one_sample = Subject(
    "sample_gradients", lambda: [draw.tensor((1,), grad=False), draw.tensor((1, 1), grad=False), torch.ones(1, dtype=torch.float64)]
)

change = Subject("squared_change", lambda: [draw.tensor()], like=lambda m: square_change(torch.nn.functional.softplus(-m)))
given("squared_change", source=CHANGE)


def square_change(y):
    return (y - y.detach()) ** 2


@check
def values():
    logistic.values()


@check
def gradient():
    logistic.gradcheck()
    logistic.linear()
    logistic.edges(without=["large", "low"])
    (m,) = logistic.drawn()
    graph = logistic.theirs.call([m])
    (g,) = logistic.incoming(graph, 1e3)
    got = logistic.theirs.pull(graph, [g]).outputs[0]
    expect(
        got is not None and torch.allclose(got, -g * torch.sigmoid(-m.detach())),
        said={
            "en": "When a large gradient arrives, about 1000, the gradient of `m` is not the incoming one times the derivative.",
            "zh-Hans": "上游梯度很大（约为 1000）时，`m` 的梯度不等于上游梯度乘以导数。",
        },
    )
    logistic.interleaved()
    logistic.untouched()
    logistic.dtypes()


@check
def samples():
    gradients.values()
    one_sample.values()
    many_samples.values(times=1)
    gradients.edges(without=["one-row", "many-rows"])  # w is no rows


@check
def second():
    logistic.gradgradcheck()
    logistic.edges(without=["large", "low"], second=True)
    expect(change.holds("second"), said=ZERO_INCOMING)


@check
def large():
    far.values(times=1)
    far.gradients()


@mistake
def batch_gradient():
    return "vmap" not in value("sample_gradients.__code__.co_names")


@mistake
def old_style():
    return gradients.holds("raises", RuntimeError, "setup_context", order=0)


@mistake
def no_rule():
    return gradients.holds("raises", RuntimeError, "vmap support", order=0)
