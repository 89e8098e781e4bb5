import torch
from gradroom import Subject, check, draw, mistake


def arguments():
    low, high = draw.number(-1.5, -0.4), draw.number(0.6, 1.4)
    within = low + (high - low) * draw.tensor((4,), low=0.05, high=0.95, grad=False)
    below = low - draw.tensor((2,), low=0.1, high=2.0, grad=False)
    above = high + draw.tensor((2,), low=0.1, high=2.0, grad=False)
    x = torch.cat([within, below, above]).reshape(2, 4)
    levels = draw.choice([2, 3, 5, 8, 9])
    return [x.requires_grad_(), levels, low, high]


def ends():
    """With entries at the ends of the range, which still receive the gradient."""
    x, levels, low, high = arguments()
    return [torch.cat([torch.tensor([low, high], dtype=x.dtype), x.detach().flatten()]).requires_grad_(), levels, low, high]


quantise = Subject("Quantise", arguments)
with_ends = Subject("Quantise", ends)


def next_to_ends():
    """Entries that are beyond an end by less than single precision tells apart."""
    x, levels, low, high = ends()
    beyond = torch.tensor([low - 1e-10, low + 1e-10, high - 1e-10, high + 1e-10], dtype=x.dtype)
    return [torch.cat([beyond, x.detach()]).requires_grad_(), levels, low, high]


def two_levels():
    low, high = draw.number(1.0, 1.2), draw.number(2.0, 2.2)
    lower, upper = draw.tensor((3,), low=0.5, high=1.4, grad=False), draw.tensor((3,), low=1.8, high=2.5, grad=False)
    return [torch.cat([lower, upper]).requires_grad_(), 2, low, high]


close_to_ends = Subject("Quantise", next_to_ends)
of_two = Subject("Quantise", two_levels)
fine = Subject("Quantise", lambda: [draw.tensor((4, 2)), 256, -1.3, 1.1])
far = Subject("Quantise", lambda: [torch.tensor([[-1e30, 1e30], [-1e19, 1e19]], dtype=torch.float64, requires_grad=True), 4, -0.5, 1.0])
whole = Subject("Quantise", lambda: [draw.tensor((3, 3), low=0.0, high=7.0), 4, 2, 5])


def step(levels, low, high):
    return (high - low) / (levels - 1)


def inside(g, x, low, high):
    return torch.where((x >= low) & (x <= high), g, 0)


@check
def values():
    quantise.values()


@check
def gradient():
    quantise.gradients()
    with_ends.gradients()
    close_to_ends.gradients()


@check
def edges():
    quantise.edges(without=["float32"])  # that is what precision asks
    fine.values()
    whole.gradients()
    fine.edges(without=["float32"])
    of_two.values()
    far.values(times=1)
    far.gradients()
    whole.interleaved()  # other entries are within the range in each call


@check
def calls():
    quantise.untouched()


@check
def linear():
    quantise.linear()


@check
def precision():
    quantise.dtypes()


@mistake
def no_gate():
    return quantise.behaves_like(backward=lambda g, x, levels, low, high: g)


@mistake
def zero():
    return quantise.behaves_like(backward=lambda g, x, levels, low, high: 0 * g)


@mistake
def by_the_scale():
    def divided(g, x, levels, low, high):
        return inside(g, x, low, high) / step(levels, low, high)

    def multiplied(g, x, levels, low, high):
        return inside(g, x, low, high) * step(levels, low, high)

    return quantise.behaves_like(backward=divided) or quantise.behaves_like(backward=multiplied)
