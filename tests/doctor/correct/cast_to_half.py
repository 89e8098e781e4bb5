# A cast, whose gradient is cast back.
import torch


class Cast(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, dtype):
        ctx.dtype = x.dtype
        return x.to(dtype)

    @staticmethod
    def backward(ctx, grad):
        return grad.to(ctx.dtype), None


x = torch.tensor([0.5, 0.25], requires_grad=True)
(Cast.apply(x, torch.float64) ** 2).sum().backward()
print(x.grad.dtype)
