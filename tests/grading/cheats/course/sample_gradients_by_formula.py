# exercise: contract/transforms/sample-gradients
# A loop in place of vmap.
import torch


class Logistic(torch.autograd.Function):
    @staticmethod
    def forward(ctx, m):
        ctx.save_for_backward(m)
        return torch.log1p(torch.exp(-m))

    @staticmethod
    def backward(ctx, grad_output):
        (m,) = ctx.saved_tensors
        return -grad_output * torch.sigmoid(-m)


def sample_gradients(w, x, y):
    m = y * (x @ w)
    return (-torch.sigmoid(-m) * y)[:, None] * x
