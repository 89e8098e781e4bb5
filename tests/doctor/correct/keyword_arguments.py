# Arguments by name, which apply accepts now.
import torch


class Power(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, exponent=2, scale=1.0):
        ctx.save_for_backward(x)
        ctx.exponent, ctx.scale = exponent, scale
        return scale * x**exponent

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * ctx.scale * ctx.exponent * x ** (ctx.exponent - 1), None, None


x = torch.tensor([1.0, -2.0, 3.0], requires_grad=True)
y = Power.apply(x, 3, 0.5)
y.sum().backward()
print(x.grad.tolist())
