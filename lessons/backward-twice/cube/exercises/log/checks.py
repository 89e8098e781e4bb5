import torch
from gradroom import Subject, check, draw, expect, given, mistake

CHANGE = """
def squared_change(x):
    y = Log.apply(x)
    return (y - y.detach()) ** 2  # the gradient that comes in is 0, its derivative is not
"""
ZERO_INCOMING = {
    "en": "Where the gradient that comes in is 0, the second derivative is wrong: that gradient can have a derivative that is not 0.",
    "zh-Hans": "传来的梯度恰好为 0 的地方，二阶导数不对：这个梯度本身的导数不一定是 0。",
}


def positive():
    return draw.tensor((3,), low=0.5, high=3.0)


log = Subject("Log", lambda: [positive()])
log_backward = Subject("LogBackward", lambda: [draw.tensor((3,)), positive()])

change = Subject("squared_change", lambda: [positive()], like=lambda x: square_change(torch.log(x)))
given("squared_change", source=CHANGE)


def square_change(y):
    return (y - y.detach()) ** 2


@check
def values():
    log.values()


@check
def gradient():
    log.gradcheck()


@check
def both():
    log_backward.values()
    log_backward.gradcheck()
    log_backward.gradients()


@check
def second():
    log.gradgradcheck()
    expect(change.holds("second"), said=ZERO_INCOMING)


@check
def third():
    log.third()


@check
def edges():
    log.edges(second=True)
    log_backward.edges()
    log.dtypes()
    log_backward.needs()


@check
def calls():
    log.interleaved()
    log.untouched()


@mistake
def input_left_out():
    return log_backward.behaves_like(forward=lambda g, x: g / x, backward=lambda gg, g, x: (gg / x, torch.zeros_like(x)))


@mistake
def swapped():
    return log_backward.behaves_like(forward=lambda g, x: g / x, backward=lambda gg, g, x: (-gg * g / x**2, gg / x))


@mistake
def grad_output_left_out():
    return log_backward.behaves_like(forward=lambda g, x: g / x, backward=lambda gg, g, x: (gg / x, -gg / x**2))
