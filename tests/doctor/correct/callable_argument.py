# A function and its derivative as arguments.
import torch


class Pointwise(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, f, df):
        ctx.df = df
        ctx.save_for_backward(x)
        return f(x)

    @staticmethod
    def backward(ctx, grad):
        return grad * ctx.df(ctx.saved_tensors[0]), None, None


x = torch.linspace(0, 1, 4, requires_grad=True)
Pointwise.apply(x, torch.sinh, torch.cosh).sum().backward()
print(x.grad.shape)
