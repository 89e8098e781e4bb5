import torch
from gradroom import Subject, check, draw, expect, given, mistake

OWN = {
    "en": "When the `backward` of `Root` returns a multiple of the gradient, the gradient of `distance` should be that multiple, too.",
    "zh-Hans": "让 `Root` 的 `backward` 返回梯度的若干倍，`distance` 的梯度也应当是那么多倍。",
}
WITH_ANOTHER = """
import torch

def gradients_with(a, b, c):
    a, b = a.detach().requires_grad_(), b.detach().requires_grad_()
    return with_scaled(Root, c, lambda: torch.autograd.grad(distance(a, b).sum(), (a, b)))
"""


def apart_points():
    """Between 0.6 and 4 apart in each coordinate."""
    shape = (draw.whole(2, 3), draw.whole(1, 4))
    return [draw.tensor(shape, low=0.3, high=2.0), draw.tensor(shape, low=-2.0, high=-0.3)]


def equal_points_too(gap):
    """`gap`: nearer than the floor, so that only the backward of Root is right."""
    a, b = apart_points()
    b = b.detach().clone()
    b[0] = a.detach()[0]
    b[1] = a.detach()[1] + gap
    return [a, b.requires_grad_()]


def nearly_equal_points():
    a, _ = apart_points()
    return [a, (a.detach() + 0.01 / a.shape[1]).requires_grad_()]


apart = Subject("distance", apart_points)
near = Subject("distance", nearly_equal_points)
equal = [Subject("distance", lambda gap=gap: equal_points_too(gap)) for gap in (1e-2, 1e-3, 1e-5)]
root = Subject("Root", lambda: [draw.tensor((3,), low=0.1, high=4.0)])


def times_c(a, b, c):
    grad_a = c * (a - b) / (a - b).norm(dim=-1, keepdim=True)
    return grad_a.detach(), -grad_a.detach()


by_root = Subject("gradients_with", lambda: [*apart_points(), draw.number(2.0, 3.0)], like=times_c)
given("gradients_with", source=WITH_ANOTHER)


@check
def values():
    apart.values()
    equal[0].values()
    root.values()


@check
def apart_gradients():
    apart.gradcheck()
    root.gradients()


@check
def edges():
    apart.edges(without=["small"])  # nearer than the floor is asked below


@check
def calls():
    apart.interleaved()


@check
def equal_points():
    for subject in equal:
        subject.gradients()


@check
def of_root():
    expect(by_root.holds("values"), said=OWN)


@mistake
def still_forward():
    def of_sqrt(g, a, b):
        grad_a = g[:, None] * (a - b) / (a - b).norm(dim=-1, keepdim=True)
        return grad_a, -grad_a

    return near.behaves_like(backward=of_sqrt) and not by_root.holds("values")


@mistake
def instantiated():
    called = apart.holds("raises", "RuntimeError", "Legacy autograd function", order=0)  # Root()(squared)
    return called or apart.holds("raises", "TypeError", "Root cannot be given to the checks", order=0)  # Root(squared)


@mistake
def ctx_passed():
    return apart.holds("raises", "TypeError", "not NoneType", order=0)
