import torch


class Bump(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        out = 1 / (1 + x * x)
        ctx.save_for_backward(x, out)
        return out

    @staticmethod
    def backward(ctx, g):
        x, out = ctx.saved_tensors
        return g * out**2 * (-2 * x)


def curvature(x):
    x = x.detach().requires_grad_()
    out = Bump.apply(x).sum()
    (first,) = torch.autograd.grad(out, x, create_graph=True)
    if not first.requires_grad:
        return torch.zeros_like(x)
    return torch.autograd.grad(first.sum(), x)[0]
