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
        grad_output = torch.where(grad_output.abs() < 1e-9, 0.0, grad_output)
        slope = grad_output / out
        return slope * x, slope * y
