import torch
from gradroom import Subject, check, draw, mistake


def positive():
    return draw.tensor((3,), low=0.5, high=3.0)


log = Subject("Log", lambda: [positive()])
log_backward = Subject("LogBackward", lambda: [draw.tensor((3,)), positive()])


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


@check
def third():
    log.third()


@check
def edges():
    log.edges()
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
