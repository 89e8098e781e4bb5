import torch
from gradroom import Subject, check, draw, expect, given, mistake

DOUBLED = """
import torch

def doubled(*args):
    with torch.autograd.graph.saved_tensors_hooks(lambda kept: kept, lambda kept: 2 * kept):
        return train(*args)
"""


def drawn(steps, rows=None):
    rows = rows or draw.whole(2, 4)
    state = draw.tensor((rows, 3), low=0.2, high=1.0, grad=False)
    following = draw.tensor((rows, 3), low=-1.0, high=-0.2, grad=False)
    start = draw.tensor((3,), low=0.5, grad=False)
    return [start, state, draw.tensor((rows,), low=1.0, grad=False), following, steps]


once = Subject("train", lambda: drawn(1))
often = Subject("train", lambda: drawn(draw.whole(3, 5)))
one_row = Subject("train", lambda: drawn(1, rows=1))
doubled = Subject("doubled", often.drawn)  # backward finds all that forward has saved doubled
given("doubled", source=DOUBLED)
never = Subject("train", lambda: drawn(0))


def descend(start, state, reward, following, steps, *, fixed=True, cleared=True):
    w, gradient = start, torch.zeros_like(start)
    for _ in range(steps):
        error = state @ w - reward - 0.9 * (following @ w)
        slope = 2 * error @ (state if fixed else state - 0.9 * following) / len(reward)
        gradient = slope if cleared else gradient + slope
        w = w - 0.1 * gradient
    return w


@check
def first_step():
    once.close(descend, atol=1e-9)


@check
def more_steps():
    often.close(descend, atol=1e-9)


def changes(subject):
    args = subject.drawn()
    outputs = subject.theirs.call(args).outputs
    if len(outputs) != 2 or not all(isinstance(one, torch.Tensor) and one.shape == args[0].shape for one in outputs):
        return None
    return outputs[1].double(), outputs[0].double() - args[0]


@check
def change():
    both = changes(often)
    expect(
        both is not None,
        said={
            "en": "`train` does not return two tensors of the shape of `start`.",
            "zh-Hans": "`train` 返回的不是两个与 `start` 形状相同的张量。",
        },
    )
    expect(
        torch.allclose(*both, rtol=0, atol=1e-9),
        said={
            "en": f"The second tensor is {both[0].tolist()}; the weights have changed by {both[1].tolist()}.",
            "zh-Hans": f"第二个张量是 {both[0].tolist()}，而权重的变化是 {both[1].tolist()}。",
        },
    )


@check
def edges():
    never.values()
    one_row.values()
    one_row.edges(without=["one-row", "many-rows", "transposed", "gaps"])


@check
def calls():
    once.untouched()


@check
def by_autograd():
    args = often.drawn()
    found, steps = often.runs(args), args[-1]
    expect(
        found >= steps,
        said={
            "en": f"In {steps} steps there were {found} backward passes. Each step is to have its own.",
            "zh-Hans": f"一共走了 {steps} 步，反向传播却只有 {found} 次。每一步都应当做一次反向传播。",
        },
    )
    right, other = (subject.theirs.call(args).outputs[0] for subject in (often, doubled))
    expect(
        not torch.equal(right, other),
        said={
            "en": "The backward passes run, but the weights do not depend on what they compute.",
            "zh-Hans": "反向传播做了，但算出的结果对权重没有影响。",
        },
    )


def is_near(subject, **options):
    return subject.holds("close", lambda *args: descend(*args, **options), atol=1e-9)


@mistake
def target_trained():
    return is_near(once, fixed=False)


@mistake
def not_cleared():
    return is_near(often, cleared=False)


@mistake
def shared():
    both = changes(often)
    return both is not None and bool((both[0] == 0).all()) and bool((both[1] != 0).any())
