import torch
from gradroom import Subject, check, draw, mistake


def drawn(steps, size=4):
    x = draw.tensor((size,), low=0.5, high=1.5, grad=False)
    return [x, draw.number(1.0, 3.0) * x + draw.tensor((size,), low=-0.2, high=0.2, grad=False), steps]


once = Subject("train", lambda: drawn(1))
often = Subject("train", lambda: drawn(draw.whole(4, 9)))
long = Subject("train", lambda: drawn(20, size=draw.whole(5, 9)))
twice = Subject("train", lambda: drawn(2, size=draw.whole(2, 3)))


@check
def one_step():
    once.values()


@check
def more_steps():
    often.values()
    long.values(times=1)


@check
def edges():
    twice.edges()


def summed(x, y, steps):
    w, total = 0.0, 0.0
    for _ in range(steps):
        total += (2 * (w * x - y) * x).mean().item()
        w -= 0.1 * total
    return torch.tensor(w, dtype=x.dtype).item()


def near(target):
    for _ in range(2):
        x, y, steps = drawn(6)
        got = often.theirs.call([x, y, steps]).outputs[0]
        if not isinstance(got, float) or abs(got - target(x, y, steps)) > 1e-6:
            return False
    return True


@mistake
def before_the_step():
    return near(lambda x, y, steps: 0.0)


@mistake
def stays_at_one():
    return near(lambda x, y, steps: 0.2 * (y * x).mean().item())


@mistake
def cleared_once():
    return near(summed)
