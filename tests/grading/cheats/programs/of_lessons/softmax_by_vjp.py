# exercise: gradients-on-purpose/attention/softmax-backward
# caught by: gradient, incoming, large
# Autograd gives the product.
import torch


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, s):
        p = torch.softmax(s, 1)
        ctx.save_for_backward(s)
        return p

    @staticmethod
    def backward(ctx, g):
        (s,) = ctx.saved_tensors
        return torch.autograd.functional.vjp(lambda s: torch.softmax(s, 1), s, g)[1]
