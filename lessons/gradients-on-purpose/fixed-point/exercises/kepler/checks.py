import torch
from gradroom import Subject, check, draw, mistake


def arguments():
    shape = draw.shape()
    return [draw.tensor(shape, low=-3.0, high=3.0), draw.tensor(shape, low=0.2, high=0.7)]


kepler = Subject("Kepler", arguments)
far = Subject("Kepler", lambda: [draw.tensor((4,), low=-900.0, high=900.0), draw.tensor((4,), low=0.0, high=0.8)])


def root_of(m, e):
    root = m + e * torch.sin(m)
    for _ in range(20):
        root = root - (root - e * torch.sin(root) - m) / (1 - e * torch.cos(root))
    return root


def one_step(grad, m, e):
    return grad, grad * torch.sin(root_of(m, e))


def wrong_sign(grad, m, e):
    root = root_of(m, e)
    grad_m = grad / (1 + e * torch.cos(root))
    return grad_m, grad_m * torch.sin(root)


@check
def values():
    kepler.values()


@check
def gradients():
    kepler.gradients()
    kepler.gradcheck()
    kepler.linear()


@check
def second():
    kepler.second()
    kepler.gradgradcheck()


@check
def edges():
    kepler.edges(without=["large", "low"])
    far.values()
    far.gradients()


@check
def calls():
    kepler.interleaved()
    kepler.untouched()


@mistake
def last_step():
    return kepler.behaves_like(backward=one_step)


@mistake
def plus():
    return kepler.behaves_like(backward=wrong_sign)


@mistake
def slopes_saved():
    return kepler.holds("gradients") and not kepler.holds("second")
