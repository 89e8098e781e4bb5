import torch


class SoftClip(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, limit=1.0):
        out = limit * torch.tanh(x / limit)
        ctx.save_for_backward(out)
        ctx.limit = limit
        return out

    @staticmethod
    def backward(ctx, grad_output):
        (out,) = ctx.saved_tensors
        return grad_output - grad_output * (out / ctx.limit) ** 2, None
