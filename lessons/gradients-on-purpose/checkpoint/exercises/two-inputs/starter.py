import torch

calls = []


def block(x, w):
    calls.append(1)
    for _ in range(4):
        x = torch.tanh(x @ w)
    return x


class Recompute(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        raise NotImplementedError

    @staticmethod
    def backward(ctx, grad_output):
        raise NotImplementedError


def count(x, w):
    calls.clear()
    out = Recompute.apply(x, w)
    before = len(calls)
    torch.autograd.grad(out.sum(), (x, w))
    return torch.tensor([before, len(calls)])
