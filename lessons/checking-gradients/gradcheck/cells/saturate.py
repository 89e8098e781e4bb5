import torch


class Saturate(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale):
        ctx.save_for_backward(x, scale)
        return x / (scale + x.abs())

    @staticmethod
    def backward(ctx, grad_output):
        x, scale = ctx.saved_tensors
        slope = grad_output / (scale + x.abs()) ** 2
        return slope * scale, (slope * x).sum()


def saturate(x, *, scale):
    return Saturate.apply(x, scale)


class Saturating(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = torch.nn.Parameter(torch.tensor(2.0))

    def forward(self, x):
        return saturate(x, scale=self.scale)
