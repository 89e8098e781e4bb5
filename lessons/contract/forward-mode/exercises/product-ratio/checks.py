import torch
from gradroom import Subject, check, draw, expect, given, mistake

SAVED = """
def saved(a, b):
    return tuple(one.detach().clone() for one in ProductRatio.apply(a, b)[0].grad_fn.saved_tensors[:2])
"""
STAYS = {
    "en": "`save_for_backward` no longer keeps `a` and `b`. What was already in the class must stay.",
    "zh-Hans": "`save_for_backward` 不再保存 `a` 和 `b` 了。类中原有的内容必须保留。",
}

given("pushed")


def point():
    shape = draw.shape()
    a, b = draw.tensor(shape, grad=False), draw.tensor(shape, low=0.5, high=2.0, grad=False)
    return a, b * draw.choice([-1.0, 1.0])


def moving():
    a, b = point()
    return [a, b, draw.tensor(a.shape, low=0.5, grad=False), draw.tensor(a.shape, low=0.5, grad=False)]


def one_moving():
    a, b, ta, tb = moving()
    return draw.choice([[a, b, ta, torch.zeros_like(tb)], [a, b, torch.zeros_like(ta), tb]])


function = Subject("ProductRatio", lambda: [one.requires_grad_() for one in point()])
tangents = Subject("pushed", moving)
saved = Subject("saved", lambda: [one.requires_grad_() for one in point()], like=lambda a, b: (a.detach(), b.detach()))
given("saved", source=SAVED)
single = Subject("pushed", one_moving)


@check
def values():
    function.values()


@check
def pushed_forward():
    tangents.values()
    tangents.edges()


@check
def one_direction():
    single.values()


@check
def gradient():
    function.gradcheck()
    function.edges()
    function.interleaved()
    function.untouched()
    function.needs()
    expect(saved.holds("values"), said=STAYS)


@mistake
def not_saved():
    return tangents.holds("raises", ValueError, "got 0)", order=0) or tangents.holds(
        "raises", IndexError, "tuple index out of range", order=0
    )


@mistake
def one_tangent():
    return tangents.behaves_like(forward=lambda a, b, ta, tb: (ta * b, ta / b))


@mistake
def like_backward():
    return tangents.behaves_like(forward=lambda a, b, ta, tb: (ta * b + tb / b, ta * a - tb * a / b**2))
