# A parameter in bfloat16.
import torch


class Gain(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, g):
        ctx.save_for_backward(x, g)
        return x * g

    @staticmethod
    def backward(ctx, grad):
        x, g = ctx.saved_tensors
        return grad * g, (grad * x).sum().reshape(g.shape)


x = torch.ones(4, dtype=torch.bfloat16, requires_grad=True)
g = torch.tensor(0.5, dtype=torch.bfloat16, requires_grad=True)
Gain.apply(x, g).square().sum().backward()
print(x.grad.dtype, g.grad.dtype)
