import torch
from gradroom import Subject, check, draw, given, mistake

given("descend")


def drawn(steps, size=2, rows=4):
    x = draw.tensor((rows, size), low=-1.5, high=1.5, grad=False)
    y = draw.tensor((rows,), low=1.0, high=3.0, grad=False)
    return [draw.tensor((size,), low=0.5, high=2.0, grad=False), x, y, draw.number(0.05, 0.2), steps]


once = Subject("descend", lambda: drawn(1))
often = Subject("descend", lambda: drawn(draw.whole(3, 5)))
other_sizes = Subject("descend", lambda: drawn(2, size=draw.whole(3, 4), rows=draw.whole(5, 7)))


@check
def one_step():
    once.values()


@check
def more_steps():
    often.values()


@check
def edges():
    for rows in (1, 30):
        Subject("descend", lambda rows=rows: drawn(2, size=3, rows=rows)).values(times=1)
    other_sizes.edges(without=["one-row", "many-rows"])  # w is no rows


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
