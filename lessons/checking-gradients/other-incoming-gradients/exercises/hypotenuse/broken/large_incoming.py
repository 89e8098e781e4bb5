import torch


class Hypot(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        out = torch.sqrt(x**2 + y**2)
        ctx.save_for_backward(x, y, out)
        return out

    @staticmethod
    def backward(ctx, grad_output):
        x, y, out = ctx.saved_tensors
        slope = grad_output.clamp(-100, 100) / out
        return slope * x, slope * y
