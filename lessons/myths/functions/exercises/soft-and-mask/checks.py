import torch
from gradroom import Subject, check, draw, given, mistake

given("slopes", "mask_requires_grad")


def both_sides(grad=True):
    negative = draw.tensor((2,), high=-0.1, grad=False)
    positive = draw.tensor((2,), low=0.1, grad=False)
    return [torch.cat([negative, positive]).requires_grad_(grad)]


function = Subject("SoftAndMask", both_sides)
sloped = Subject("slopes", lambda: both_sides(False))
marked = Subject("mask_requires_grad", lambda: both_sides(False))


@check
def values():
    function.values()


@check
def gradient():
    function.gradients()
    function.gradcheck()
    function.gradgradcheck()


@check
def slopes():
    sloped.values()
    sloped.edges()


@check
def mask_marked():
    marked.values()


@check
def edges():
    function.edges()
    function.dtypes()


@check
def calls():
    function.interleaved()
    function.untouched()


@mistake
def all_marked():
    return marked.holds("values") and sloped.behaves_like(forward=torch.zeros_like)


@mistake
def ctx_in_forward():
    return marked.holds("values") and sloped.holds("raises", RuntimeError, "setup_context", order=0)


@mistake
def unmarked():
    return sloped.holds("values") and not marked.holds("values")
