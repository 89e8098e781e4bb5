# .item() chooses a formula and is no part of it.
import torch


class Sinc(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.small = abs(x.item()) < 1e-3
        ctx.save_for_backward(x)
        return 1 - x**2 / 6 if ctx.small else x.sin() / x

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        if ctx.small:
            return -grad * x / 3
        return grad * (x * x.cos() - x.sin()) / x**2


for value in (1.2, 1e-4):
    x = torch.tensor(value, dtype=torch.float64, requires_grad=True)
    Sinc.apply(x).backward()
    print(x.grad.shape)
