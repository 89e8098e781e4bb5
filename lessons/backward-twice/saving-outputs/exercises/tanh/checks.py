import torch
from gradroom import Subject, check, draw, mistake

tanh = Subject("Tanh", lambda: [draw.tensor()])

far = Subject("Tanh", lambda: [torch.tensor([900.0, -900.0, 0.0, 1e-30, 30.0, -30.0], dtype=torch.float64, requires_grad=True)])


@check
def values():
    tanh.values()


@check
def gradient():
    tanh.gradcheck()


@check
def second():
    tanh.gradgradcheck()
    far.second()


@check
def contract():
    tanh.untouched()
    tanh.interleaved()


@check
def third():
    tanh.third()


@check
def edges():
    tanh.edges()
    tanh.dtypes()


@mistake
def slope_without_history():
    return tanh.holds("gradcheck") and tanh.behaves_like(second=lambda gg, g, x: torch.zeros_like(x))


@mistake
def derivative_of_input():
    return tanh.behaves_like(forward=torch.tanh, backward=lambda g, x: g * (1 - x**2))
