import torch


class Bump(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return 1 / (1 + x**2)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return -2 * grad_output * (torch.sqrt(x**2) * x.sign()) / (1 + x**2) ** 2


def curvature(x):
    x = x.detach().requires_grad_()
    out = Bump.apply(x).sum()
    (first,) = torch.autograd.grad(out, x, create_graph=True)
    if not first.requires_grad:
        return torch.zeros_like(x)
    return torch.autograd.grad(first.sum(), x)[0]
