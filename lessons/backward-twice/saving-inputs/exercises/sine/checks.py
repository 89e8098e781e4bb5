import torch
from gradroom import Subject, check, draw, mistake

sine = Subject("Sine", lambda: [draw.tensor()])

far = Subject("Sine", lambda: [torch.tensor([900.0, -900.0, 0.0, 1e-30, 30.0, -30.0], dtype=torch.float64, requires_grad=True)])


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


@check
def contract():
    sine.untouched()
    sine.interleaved()


@check
def scalars():
    sine.scalars()


@check
def edges():
    sine.edges()
    sine.dtypes()


@mistake
def forgot_chain():
    return sine.behaves_like(forward=torch.sin, backward=lambda g, x: torch.cos(x))


@mistake
def history_lost():
    return sine.holds("gradcheck") and sine.behaves_like(second=lambda gg, g, x: torch.zeros_like(x))
