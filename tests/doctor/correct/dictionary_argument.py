# Options in a dictionary.
import torch


class Affine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, options):
        ctx.scale = options.get("scale", 1.0)
        return x * ctx.scale + options.get("shift", 0.0)

    @staticmethod
    def backward(ctx, grad):
        return grad * ctx.scale, None


x = torch.ones(2, requires_grad=True)
Affine.apply(x, {"scale": 3.0, "shift": 1.0}).sum().backward()
print(x.grad.tolist())
