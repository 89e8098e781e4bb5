import itertools

import torch
from gradroom import Subject, check, draw, expect, given, mistake

APART = """
import torch

def second_of_gather(p0, p1):
    first, second = Gather.apply(p0, p1)
    first.detach().add_(1)
    return second
"""

given("second_of_gather", source=APART)
widths = itertools.cycle([1, 3])  # so that two calls that are open at once differ in it


def shape(columns):
    leading = draw.choice([(2,), (3,), (2, 3)])
    return (*leading, columns)


def of_axes(half):
    """Shapes of one axis to three, with a single row and with many."""
    return [(*leading, (1 if half else 2) * draw.whole(1, 3)) for leading in ((), (1,), (12,), (1, 3))]


def wholes():
    size = shape(2 * draw.whole(1, 3))
    return [draw.tensor(size), draw.tensor(size)]


def halves():
    size = shape(draw.whole(1, 3))
    return [draw.tensor(size), draw.tensor(size)]


def of_next_width():
    size = (2, 2 * next(widths))
    return [draw.tensor(size), draw.tensor(size)]


split_in_turn, gather_in_turn = Subject("Split", of_next_width), Subject("Gather", of_next_width)
apart = Subject("second_of_gather", halves, like=lambda p0, p1: torch.cat([p0, p1], -1))
split = Subject("Split", wholes)
gather = Subject("Gather", halves)


split_shapes = [Subject("Split", lambda size=size: [draw.tensor(size), draw.tensor(size)]) for size in of_axes(half=False)]
gather_shapes = [Subject("Gather", lambda size=size: [draw.tensor(size), draw.tensor(size)]) for size in of_axes(half=True)]


def padded(g0, g1, h0, h1):
    zeros = torch.zeros_like(g0)
    return torch.cat([g0, zeros], dim=-1), torch.cat([zeros, g1], dim=-1)


def added(g0, g1, p0, p1):
    return (g0 + g1).chunk(2, dim=-1)


def first_halves(g0, g1, p0, p1):
    return g0.chunk(2, dim=-1)[0], g1.chunk(2, dim=-1)[0]


@check
def split_values():
    split.values()
    for subject in split_shapes:
        subject.values(times=1)


@check
def gather_values():
    gather.values()
    for subject in gather_shapes:
        subject.values(times=1)
    expect(
        apart.holds("values"),
        said={
            "en": "The two results of `Gather` share their memory: what one rank changes in its tensor, the other sees. "
            "Return two tensors, or a `clone()`.",
            "zh-Hans": "`Gather` 的两个结果共用一块内存：一个进程修改自己的张量，另一个进程的也会跟着变。请返回两个独立的张量，或者用 `clone()`。",
        },
    )


@check
def split_gradients():
    split.gradients()
    split.linear()
    split.untouched()
    split.strides()
    split_in_turn.interleaved()


@check
def gather_gradients():
    gather.gradients()
    gather.linear()
    gather.untouched()
    gather.strides()
    gather_in_turn.interleaved()


@mistake
def own_part():
    return split.behaves_like(backward=padded)


@mistake
def sums():
    return gather.behaves_like(backward=added)


@mistake
def same_half():
    return gather.behaves_like(backward=first_halves)
