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
        flat = grad_output.view(-1)
        flat /= out.view(-1)
        slope = flat.view(x.shape)
        return slope * x, slope * y
