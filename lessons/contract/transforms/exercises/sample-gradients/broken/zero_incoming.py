import torch
from torch.func import grad, vmap


class Logistic(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(m):
        return torch.logaddexp(torch.zeros_like(m), -m)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, grad_output):
        (m,) = ctx.saved_tensors
        return torch.where(grad_output == 0, 0, -grad_output * torch.sigmoid(-m))  # nothing arrives there


def loss(w, x, y):
    return Logistic.apply(y * (x @ w))


def sample_gradients(w, x, y):
    return vmap(grad(loss), in_dims=(None, 0, 0))(w, x, y)
