import torch
from gradroom import Subject, check, draw, given, mistake

SQUARED = """
def squared(x):
    return Sine.apply(x) ** 2
"""

sine = Subject("Sine", lambda: [draw.tensor()])

far = Subject("Sine", lambda: [torch.tensor([900.0, -900.0, 0.0, 1e-30, 30.0, -30.0], dtype=torch.float64, requires_grad=True)])

squared = Subject("squared", lambda: [torch.tensor([0.0, 0.5, -1.0], dtype=torch.float64, requires_grad=True)], like=lambda x: torch.sin(x) ** 2)
given("squared", source=SQUARED)


@check
def values():
    sine.values()


@check
def gradient():
    sine.gradcheck()


@check
def second():
    sine.gradgradcheck()
    far.second()
    squared.second()  # at 0 the gradient that comes in is 0, and its derivative is not


@check
def contract():
    sine.untouched()
    sine.interleaved()


@check
def scalars():
    sine.scalars()


@check
def edges():
    sine.edges(second=True)
    sine.dtypes()


@mistake
def forgot_chain():
    return sine.behaves_like(forward=torch.sin, backward=lambda g, x: torch.cos(x))


@mistake
def history_lost():
    return sine.holds("gradcheck") and sine.behaves_like(second=lambda gg, g, x: torch.zeros_like(x))
