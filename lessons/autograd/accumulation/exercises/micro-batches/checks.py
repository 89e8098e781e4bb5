import torch
from gradroom import Subject, check, draw, expect, given, mistake

COUNTED = """
import torch

def counted(w, xs, ys):
    right, calls = torch.autograd.backward, []

    def backward(*args, **kwargs):
        calls.append(1)
        return right(*args, **kwargs)

    torch.autograd.backward = backward  # which tensor.backward() calls
    try:
        gradient(w, xs, ys)
    finally:
        torch.autograd.backward = right
    return torch.tensor(len(calls))
"""


def drawn(sizes):
    xs = [draw.tensor((size,), low=0.5, high=2.0, grad=False) for size in sizes]
    ys = [draw.tensor((size,), low=-2.0, high=0.4, grad=False) for size in sizes]
    return [draw.tensor((), low=1.0, high=2.0), xs, ys]


equal_parts = Subject("gradient", lambda: drawn([3] * draw.whole(2, 4)))
unequal_parts = Subject("gradient", lambda: drawn([4, draw.whole(2, 3), 1]))
short_first = Subject("gradient", lambda: drawn([1, draw.whole(2, 3), 5, 2]))
one_part = Subject("gradient", lambda: drawn([draw.whole(1, 4)]))
some_parts = Subject("gradient", lambda: drawn([2, draw.whole(2, 3), 1, 4][draw.whole(0, 1) :]))
many_parts = Subject("gradient", lambda: drawn([draw.whole(2, 3)] * 12))

perfect = Subject("gradient", lambda: fitting([2, draw.whole(2, 3), 1]))  # no loss in any part
partly = Subject("gradient", lambda: fitting([2, draw.whole(2, 3), 1], parts=2))
counted = Subject("counted", lambda: [])
given("counted", source=COUNTED)


def fitting(sizes, parts=None):
    """Examples of which the first parts have no error."""
    w, xs, ys = drawn(sizes)
    return [w, xs, [w.detach() * x if parts is None or place < parts else y for place, (x, y) in enumerate(zip(xs, ys))]]


@check
def equal():
    equal_parts.values()


@check
def unequal():
    unequal_parts.values()
    short_first.values()


@check
def edges():
    one_part.values()
    many_parts.values(times=1)
    perfect.values(times=1)
    equal_parts.edges()


@check
def one_at_a_time():
    for subject in (some_parts, partly):
        args = subject.drawn()
        found, parts = subject.runs(args), len(args[1])
        expect(
            found == parts,
            said={
                "en": f"There were {parts} parts, and {found} backward passes: call `backward()` once for each part, even if its loss is 0.",
                "zh-Hans": f"一共 {parts} 份，反向传播却有 {found} 次：请对每一份各调用一次 `backward()`，损失为 0 的也不例外。",
            },
        )
        calls = int(counted.theirs.call(args).outputs[0])
        expect(
            calls == parts,
            said={
                "en": f"There were {parts} parts, and {calls} calls of `backward()`: call it once for each part.",
                "zh-Hans": f"一共 {parts} 份，`backward()` 却调用了 {calls} 次：请对每一份各调用一次。",
            },
        )


def slopes(w, xs, ys):
    return [2 * (w * x - y) * x for x, y in zip(xs, ys)]


@mistake
def sum_of_means():
    return unequal_parts.behaves_like(lambda w, xs, ys: sum(part.mean() for part in slopes(w, xs, ys)))


@mistake
def mean_of_means():
    return unequal_parts.behaves_like(lambda w, xs, ys: torch.stack([part.mean() for part in slopes(w, xs, ys)]).mean())


@mistake
def last_part():
    def last(w, xs, ys):
        return slopes(w, xs, ys)[-1].sum() / sum(len(x) for x in xs)

    def last_mean(w, xs, ys):
        return slopes(w, xs, ys)[-1].mean()

    def last_share(w, xs, ys):
        return slopes(w, xs, ys)[-1].mean() / len(xs)

    return any(unequal_parts.behaves_like(one) for one in (last, last_mean, last_share))
