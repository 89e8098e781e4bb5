import torch


class Bump(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        out = 1 / (1 + x**2)
        ctx.bottom = 1 + x**2
        ctx.save_for_backward(x, out)
        return out

    @staticmethod
    def backward(ctx, grad_output):
        x, out = ctx.saved_tensors
        bottom = (1 + x**2).clamp(max=1e6)
        return -2 * x * grad_output / bottom**2


def curvature(x):
    x = x.detach().requires_grad_()
    out = Bump.apply(x).sum()
    (first,) = torch.autograd.grad(out, x, create_graph=True)
    if not first.requires_grad:
        return torch.zeros_like(x)
    return torch.autograd.grad(first.sum(), x)[0]
