import torch
from gradroom import Subject, check, draw, expect, given, mistake

AGAIN = {
    "en": "`layer` should run once in forward and once more in each backward pass.",
    "zh-Hans": "`layer` 应当在前向传播时运行一次，在每次反向传播时再运行一次。",
}
BESIDE = {
    "en": "After forward, a tensor as large as the output is kept: a mask, for example. The inputs of `layer` and the random state are enough.",
    "zh-Hans": "前向传播之后，还留着与输出一样大的张量，例如掩码。只留 `layer` 的输入和随机状态就够了。",
}
GIVEN = """
import torch

def seeded(x, w, seed):
    torch.manual_seed(seed)
    return Recompute.apply(x, w)

def stacked(x, w, seed):
    torch.manual_seed(seed)
    return Recompute.apply(Recompute.apply(x, w), w)

def draws(x, w, seed):
    torch.manual_seed(seed)
    out = Recompute.apply(x, w)
    between = torch.rand(3)
    torch.autograd.grad(out.sum(), x)
    return torch.cat([between, torch.rand(3)])

def change(x, w, seed):
    torch.manual_seed(seed)
    return Recompute.apply(x, w) - Recompute.apply(x, w)

def runs(x, w, seed):
    calls, functions = [], torch.nn.functional
    dropout = functions.dropout

    def counted(*args, **kwargs):
        calls.append(1)
        return dropout(*args, **kwargs)

    functions.dropout = counted
    try:
        out = Recompute.apply(x, w)
        before = len(calls)
        torch.autograd.grad(out.sum(), (x, w), retain_graph=True)
        once = len(calls)
        torch.autograd.grad(out.sum(), (x, w))
    finally:
        functions.dropout = dropout
    return torch.tensor([before, once, len(calls)])

def held(calls):  # outputs of 1 MiB each in double precision, of which nothing is held here
    x, w, found = torch.rand(1024, 1, dtype=torch.double, requires_grad=True), torch.rand(1, 128, dtype=torch.double, requires_grad=True), []
    for _ in range(calls):
        found.append(Recompute.apply(x, w).mean())
    return torch.tensor(float(len(found)))

def beside():  # tensors as large as the output that the node has kept
    x, w = torch.rand(1024, 1, dtype=torch.double, requires_grad=True), torch.rand(1, 128, dtype=torch.double, requires_grad=True)
    node = Recompute.apply(x, w).grad_fn
    kept = [*node.saved_tensors, *vars(node).values()]
    return torch.tensor(sum(isinstance(one, torch.Tensor) and one.numel() >= 1024 * 128 for one in kept))
"""
given("seeded", "stacked", "draws", "change", "runs", "held", "beside", source=GIVEN)


def arguments():
    return [draw.tensor((4, 5)), draw.tensor((5, 5)), draw.whole(0, 100000)]


seeded = Subject("seeded", arguments)
stacked = Subject("stacked", arguments)
draws = Subject("draws", arguments)
change = Subject("change", arguments)
held = Subject("held", lambda: [80], like=lambda calls: torch.tensor(float(calls)))
beside = Subject("beside", lambda: [], like=lambda: torch.tensor(0))
runs = Subject("runs", arguments, like=lambda x, w, seed: torch.tensor([1, 2, 3]))


def second_mask(grad, x, w, seed):
    x, w = x.detach().requires_grad_(), w.detach().requires_grad_()
    with torch.random.fork_rng(), torch.enable_grad():
        torch.manual_seed(seed)
        for _ in range(2):
            out = torch.nn.functional.dropout(torch.tanh(x @ w), 0.5)
        return torch.autograd.grad(out, (x, w), grad)


@check
def values():
    seeded.values()
    stacked.values()


@check
def gradients():
    seeded.gradients()
    seeded.untouched()
    seeded.interleaved()


@check
def later_draws():
    draws.values()


@check
def edges():
    seeded.edges()
    seeded.needs()


@check
def two_layers():
    stacked.gradients()


@check
def again():
    expect(runs.holds("values", times=1), said=AGAIN)


@check
def kept():
    held.values(times=1)
    expect(beside.holds("values", times=1), said=BESIDE)


@mistake
def fixed_seed():
    (out,) = seeded.theirs.call(seeded.drawn()).outputs
    return bool((out == 0).any()) and change.behaves_like(forward=lambda x, w, seed: torch.zeros_like(x))


@mistake
def state_after():
    return seeded.behaves_like(backward=second_mask)


@mistake
def not_put_back():
    return seeded.holds("gradients") and seeded.holds("untouched") and not draws.holds("values")
