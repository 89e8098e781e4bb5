import torch
from gradroom import Subject, check, draw, given, mistake

given("curvature")

function = Subject("Bump", lambda: [draw.tensor()])
far = Subject("curvature", lambda: [torch.tensor([0, 1e-30, 900, -900, 1e5], dtype=torch.float64)])
bend = Subject("curvature", lambda: [draw.tensor((3,), low=0.3, grad=False)])


@check
def values():
    function.values()


@check
def gradient():
    function.gradcheck()


@check
def second():
    function.gradgradcheck()


@check
def curvature_values():
    bend.values()


@check
def edges():
    function.edges()
    far.values()


@check
def calls():
    function.interleaved()
    function.untouched()


@mistake
def all_constant():
    return function.holds("gradcheck") and bend.behaves_like(forward=torch.zeros_like)


@mistake
def bottom_kept():
    return function.holds("gradcheck") and bend.behaves_like(forward=lambda x: -2 / (1 + x**2) ** 2)


@mistake
def data_kept():
    return function.holds("gradcheck") and bend.behaves_like(forward=lambda x: 8 * x**2 / (1 + x**2) ** 3)
