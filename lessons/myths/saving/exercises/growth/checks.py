import torch
from gradroom import Subject, check, draw, expect, given, mistake

CHANGE = """
def squared_change(x, w):
    y = Growth.apply(x, w)
    return (y - y.detach()) ** 2  # the gradient that comes in is 0, its derivative is not
"""
ZERO_INCOMING = {
    "en": "Where the gradient that comes in is 0, the second derivative is wrong: that gradient can have a derivative that is not 0.",
    "zh-Hans": "传来的梯度恰好为 0 的地方，二阶导数不对：这个梯度本身的导数不一定是 0。",
}

given("refilled", "left")


def pair():
    x = draw.tensor(low=0.3, high=1.5)
    return [x, draw.tensor(x.shape, low=0.3, high=1.5)]


growth = Subject("Growth", pair)
altered = Subject("refilled", lambda: [*pair(), 0])
altered_w = Subject("refilled", lambda: [*pair(), 1])
remaining = Subject("left", pair)

change = Subject("squared_change", pair, like=lambda x, w: square_change(torch.exp(x * w)))
given("squared_change", source=CHANGE)


def square_change(y):
    return (y - y.detach()) ** 2


@check
def values():
    growth.values()


@check
def gradient():
    growth.gradcheck()
    growth.gradgradcheck()
    expect(change.holds("second"), said=ZERO_INCOMING)


@check
def edges():
    growth.edges(second=True)


@check
def calls():
    growth.interleaved()
    growth.untouched()


@check
def change_noticed():
    for subject in (altered, altered_w):
        subject.raises(RuntimeError, "modified by an inplace operation", order=1)


@check
def freed():
    remaining.values()


def notices():
    return all(one.holds("raises", RuntimeError, "modified by an inplace operation", order=1) for one in (altered, altered_w))


@mistake
def copied():
    return growth.holds("gradcheck") and not growth.holds("gradgradcheck")


@mistake
def output_on_ctx():
    return not remaining.holds("values") and notices()


@mistake
def inputs_on_ctx():
    return remaining.holds("values") and not notices()
