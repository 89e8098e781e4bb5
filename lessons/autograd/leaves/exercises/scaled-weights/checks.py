import torch
from gradroom import Subject, check, draw, given, mistake

given("train")


def drawn(steps, size=2, rows=4):
    x = draw.tensor((rows, size), low=-1.5, high=1.5, grad=False)
    start = draw.tensor((size,), low=0.5, high=2.0, grad=False)
    return [start, x, x.sum(1) + draw.tensor((rows,), low=1.0, high=2.0, grad=False), steps]


never = Subject("train", lambda: drawn(0, size=draw.whole(1, 4)))
other_sizes = Subject("train", lambda: drawn(3, size=draw.whole(3, 5), rows=draw.whole(6, 8)))
once = Subject("train", lambda: drawn(1))
often = Subject("train", lambda: drawn(draw.whole(2, 5)))


@check
def start():
    never.values()
    never.untouched()


@check
def learns():
    once.values()
    often.values()
    other_sizes.values()
    for rows in (1, 30):
        Subject("train", lambda rows=rows: drawn(3, size=3, rows=rows)).values(times=1)
    other_sizes.edges(without=["large", "low", "one-row", "many-rows"])  # the weights are no rows


def descend(start, x, y, steps, *, scale=1.0, rate=0.1, learns=True):
    weight, bias = start.clone(), torch.zeros((), dtype=start.dtype)
    for _ in range(steps):
        error = x @ (scale * weight) + bias - y
        slope = 2 * error / len(y)
        if learns:
            weight = weight - rate * scale * (slope @ x)
        bias = bias - rate * slope.sum()
    return weight, bias


@mistake
def weight_not_a_parameter():
    return once.behaves_like(lambda start, x, y, steps: descend(0.1 * start, x, y, steps, learns=False))


@mistake
def not_scaled():
    return once.behaves_like(descend)


@mistake
def scaled_in_use():
    def kept(start, x, y, steps):
        return descend(start, x, y, steps, scale=0.1)

    def scaled(start, x, y, steps):
        weight, bias = kept(start, x, y, steps)
        return 0.1 * weight, bias

    return once.behaves_like(kept) or once.behaves_like(scaled)
