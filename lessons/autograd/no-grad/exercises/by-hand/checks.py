import torch
from gradroom import Subject, check, draw, mistake


def drawn(steps):
    x = draw.tensor((4, 2), low=-1.5, high=1.5, grad=False)
    y = draw.tensor((4,), low=1.0, high=3.0, grad=False)
    return [draw.tensor((2,), low=0.5, high=2.0, grad=False), x, y, draw.number(0.05, 0.2), steps]


once = Subject("descend", lambda: drawn(1))
often = Subject("descend", lambda: drawn(draw.whole(3, 5)))


@check
def one_step():
    once.values()


@check
def more_steps():
    often.values()


@mistake
def recorded():
    return once.holds("raises", RuntimeError, "in-place operation", 0)


@mistake
def rebound():
    return once.behaves_like(lambda start, x, y, rate, steps: start)


@mistake
def not_cleared():
    def summed(start, x, y, rate, steps):
        w, total = start, torch.zeros_like(start)
        for _ in range(steps):
            total = total + 2 * (x @ w - y) @ x / len(y)
            w = w - rate * total
        return w

    return often.behaves_like(summed)
