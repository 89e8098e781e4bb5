import torch


class SigmoidInPlace(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x): ...

    @staticmethod
    def backward(ctx, grad_output): ...


def both(a):
    h = a.clone()
    y = SigmoidInPlace.apply(h)
    return y, h
