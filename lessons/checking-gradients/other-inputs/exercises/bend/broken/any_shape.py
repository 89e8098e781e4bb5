import torch


class Bend(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, a):
        out = torch.tanh(a * x)
        ctx.save_for_backward(x, a, out)
        return out

    @staticmethod
    def backward(ctx, grad_output):
        x, a, out = ctx.saved_tensors
        slope = grad_output * (1 - out**2)
        return slope * a, (slope * x)[:3].sum()
