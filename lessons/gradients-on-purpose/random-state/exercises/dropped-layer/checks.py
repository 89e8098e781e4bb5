import torch
from gradroom import Subject, check, draw, given, mistake

given("seeded", "stacked", "draws", "change")


def arguments():
    return [draw.tensor((4, 5)), draw.tensor((5, 5)), draw.whole(0, 100000)]


seeded = Subject("seeded", arguments)
stacked = Subject("stacked", arguments)
draws = Subject("draws", arguments)
change = Subject("change", arguments)


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
