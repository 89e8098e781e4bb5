import torch
from gradroom import Subject, check, draw, mistake


def vector_and_step(entries):
    return [draw.tensor((entries,), low=0.5, high=2.0, grad=False), draw.number(0.05, 0.3)]


volume_slopes = Subject("slopes_of_volume", lambda: vector_and_step(3))
waves_slopes = Subject("slopes_of_waves", lambda: vector_and_step(draw.whole(2, 5)))


def volume_of(x):
    return x[0] * x[1] ** 2 * torch.exp(x[2])


def steps(x, eps):
    return eps * torch.eye(len(x), dtype=x.dtype)


def one_side(x, eps):
    return torch.stack([volume_of(x + step) - volume_of(x) for step in steps(x, eps)]) / eps


def undivided(x, eps):
    return torch.stack([volume_of(x + step) - volume_of(x - step) for step in steps(x, eps)]) / eps


def together(x, eps):
    return (volume_of(x + eps) - volume_of(x - eps)) / (2 * eps)


@check
def volume():
    volume_slopes.values()


@check
def waves():
    waves_slopes.values()


@mistake
def one_sided():
    return volume_slopes.behaves_like(forward=one_side)


@mistake
def not_halved():
    return volume_slopes.behaves_like(forward=undivided)


@mistake
def all_at_once():
    return volume_slopes.behaves_like(forward=together) or volume_slopes.behaves_like(forward=lambda x, eps: together(x, eps).expand_as(x))
