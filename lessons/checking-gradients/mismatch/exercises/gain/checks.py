import torch
from gradroom import Subject, check, draw, mistake


def batch(rows=4, features=None):
    features = features or draw.whole(2, 3)
    return [draw.tensor((rows, features)), draw.apart(draw.tensor((features,)), by=0.2)]


def only_x():
    x, w = batch()
    return [x, w.detach()]


gain = Subject("Gain", batch)
three_features = Subject("Gain", lambda: batch(features=3))
one_feature = Subject("Gain", lambda: batch(features=1))
no_rows = Subject("Gain", lambda: batch(rows=0))
with_fixed_weight = Subject("Gain", only_x)


@check
def values():
    gain.values()


@check
def x():
    with_fixed_weight.gradients()


@check
def both():
    gain.gradients()
    gain.gradcheck()
    three_features.gradients()


@check
def edges():
    gain.edges()
    one_feature.gradients()
    no_rows.gradients()


@check
def calls():
    gain.interleaved()
    gain.untouched()


def slope(g, x, w):
    return g * (1 - torch.tanh(w * x) ** 2)


@mistake
def not_summed():
    return gain.behaves_like(backward=lambda g, x, w: (slope(g, x, w) * w, (slope(g, x, w) * x)[0]))


@mistake
def mean():
    return gain.behaves_like(backward=lambda g, x, w: (slope(g, x, w) * w, (slope(g, x, w) * x).mean(0)))


@mistake
def factor_missing():
    return gain.behaves_like(backward=lambda g, x, w: (slope(g, x, w), (slope(g, x, w) * x).sum(0)))
