import torch


class Bump(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return (1 + x.square()).reciprocal()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        bottom = x * x + 1
        return -(grad * 2 * x) / (bottom * bottom)


def curvature(x):
    x = x.detach().requires_grad_()
    out = Bump.apply(x).sum()
    (first,) = torch.autograd.grad(out, x, create_graph=True)
    if not first.requires_grad:
        return torch.zeros_like(x)
    return torch.autograd.grad(first.sum(), x)[0]
