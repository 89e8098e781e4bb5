import torch
from torch import func


class Logistic(torch.autograd.Function):
    @staticmethod
    def forward(m):
        return torch.logaddexp(torch.zeros_like(m), -m)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(output)

    @staticmethod
    def backward(ctx, g):
        (out,) = ctx.saved_tensors
        return g * torch.expm1(-out)

    generate_vmap_rule = True


def loss(w, x, y):
    return Logistic.apply((x * w).sum() * y)


def sample_gradients(w, x, y):
    each = func.vmap(func.grad(loss), in_dims=(None, 0, 0))
    return each(w, x, y)
