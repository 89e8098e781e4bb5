import torch
from gradroom import Subject, check, draw, mistake

tanh = Subject("Tanh", lambda: [draw.tensor()])


@check
def values():
    tanh.values()


@check
def gradient():
    tanh.gradcheck()


@check
def second():
    tanh.gradgradcheck()


@check
def contract():
    tanh.untouched()
    tanh.interleaved()


@check
def third():
    tanh.third()


@mistake
def slope_without_history():
    return tanh.holds("gradcheck") and not tanh.holds("gradgradcheck")


@mistake
def derivative_of_input():
    return tanh.behaves_like(forward=torch.tanh, backward=lambda g, x: g * (1 - x**2))
