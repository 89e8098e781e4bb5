import torch
from gradroom import Subject, check, draw, expect, given, mistake

SEEN = """
def seen(start, x, y, rate):
    w = start.clone().requires_grad_()
    same = w.detach()
    ((x @ w - y) ** 2).mean().backward()
    step(w, rate)
    return same
"""

given("descend")


def drawn(steps, size=2, rows=4):
    x = draw.tensor((rows, size), low=-1.5, high=1.5, grad=False)
    y = draw.tensor((rows,), low=1.0, high=3.0, grad=False)
    return [draw.tensor((size,), low=0.5, high=2.0, grad=False), x, y, draw.number(0.05, 0.2), steps]


once = Subject("descend", lambda: drawn(1))
often = Subject("descend", lambda: drawn(draw.whole(3, 5)))
other_sizes = Subject("descend", lambda: drawn(2, size=draw.whole(3, 4), rows=draw.whole(5, 7)))

in_place = Subject("seen", lambda: drawn(1)[:4], like=lambda start, x, y, rate: start - rate * 2 * (x @ start - y) @ x / len(y))
given("seen", source=SEEN)


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
    expect(
        in_place.holds("values"),
        said={
            "en": "Before a step, `same = w.detach()` was taken: it shares its memory with `w`. After `step`, it has not the new numbers of `w`: they were not written in place.",
            "zh-Hans": "调用 `step` 之前取了 `same = w.detach()`，它与 `w` 共用内存。调用之后，`same` 里却不是 `w` 应有的新值：这说明不是原地修改。",
        },
    )


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
