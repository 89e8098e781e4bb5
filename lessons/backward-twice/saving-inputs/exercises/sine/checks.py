import torch
from gradroom import Subject, check, draw, mistake

sine = Subject("Sine", lambda: [draw.tensor()])


@check
def values():
    sine.values()


@check
def gradient():
    sine.gradcheck()


@check
def second():
    sine.gradgradcheck()


@check
def contract():
    sine.untouched()
    sine.interleaved()


@check
def scalars():
    sine.scalars()


@mistake
def forgot_chain():
    return sine.behaves_like(forward=torch.sin, backward=lambda g, x: torch.cos(x))


@mistake
def history_lost():
    return sine.holds("gradcheck") and not sine.holds("gradgradcheck")
