import torch


class Quantise(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return torch.round(x * 8) / 8

    @staticmethod
    def backward(ctx, grad_output):
        if torch.is_grad_enabled() and not grad_output.requires_grad:
            raise NotImplementedError("Quantise: first order only")
        return grad_output


def penalty(x):
    out = Quantise.apply(x)
    (g,) = torch.autograd.grad(out.sum(), x, create_graph=True)
    return (g**2).sum()
