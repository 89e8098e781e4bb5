import torch
from gradroom import Subject, check, draw, mistake


def with_limit():
    return [draw.tensor(low=-3.0, high=3.0), draw.choice([draw.number(0.3, 0.8), draw.number(1.5, 4.0), draw.whole(2, 4)])]


clip = Subject("SoftClip", with_limit)
narrow = Subject("SoftClip", lambda: [draw.tensor(), draw.number(0.3, 0.8)])
plain = Subject("SoftClip", lambda: [draw.tensor(), 1.0])
no_limit = Subject("SoftClip", lambda: [draw.tensor()])
without_grad = Subject("SoftClip", lambda: [draw.tensor(grad=False), draw.number(0.5, 3.0)])


@check
def values():
    clip.values()
    plain.values()


@check
def gradient():
    clip.gradients()
    plain.gradients()


@check
def untouched():
    clip.untouched()


@check
def default():
    no_limit.values()
    no_limit.gradients()


@check
def edges():
    narrow.edges()


@check
def calls():
    narrow.interleaved()


@check
def use():
    plain.gradients()  # with the limit that hides that it was left out: what is wrong here lies in the incoming gradient
    plain.linear()
    plain.strides()


@mistake
def option_ignored():
    return clip.behaves_like(backward=lambda g, x, limit: g * (1 - torch.tanh(x) ** 2))


@mistake
def in_place():
    return clip.holds("gradients") and clip.holds("linear") and without_grad.holds("untouched") and not clip.holds("untouched")


@mistake
def inner_factor():
    inner = clip.behaves_like(backward=lambda g, x, limit: g * (1 - torch.tanh(x / limit) ** 2) / limit)
    return inner or clip.behaves_like(backward=lambda g, x, limit: g * (1 - torch.tanh(x / limit) ** 2) * limit)
