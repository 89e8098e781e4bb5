import torch
from gradroom import Subject, check, draw, mistake


def with_limit():
    return [draw.tensor(low=-3.0, high=3.0), draw.choice([0.5, 2.0, 3.0])]


clip = Subject("SoftClip", with_limit)
plain = Subject("SoftClip", lambda: [draw.tensor(), 1.0])
default = Subject("SoftClip", lambda: [draw.tensor()])


@check
def values():
    clip.values()
    plain.values()
    default.values()


@check
def gradient():
    clip.gradients()
    plain.gradients()


@check
def untouched():
    clip.untouched()


@check
def use():
    clip.linear()
    clip.strides()


@mistake
def option_ignored():
    return clip.behaves_like(backward=lambda g, x, limit: g * (1 - torch.tanh(x) ** 2))


@mistake
def in_place():
    return clip.holds("gradients") and clip.holds("linear") and not clip.holds("untouched")


@mistake
def inner_factor():
    inner = clip.behaves_like(backward=lambda g, x, limit: g * (1 - torch.tanh(x / limit) ** 2) / limit)
    return inner or clip.behaves_like(backward=lambda g, x, limit: g * (1 - torch.tanh(x / limit) ** 2) * limit)
