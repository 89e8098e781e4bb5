# ReLU in place; only the result's sign is needed.
import torch


class InplaceReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        x.clamp_(min=0)
        ctx.mark_dirty(x)
        ctx.save_for_backward(x)
        return x

    @staticmethod
    def backward(ctx, grad):
        (y,) = ctx.saved_tensors
        return grad * (y > 0)


torch.manual_seed(45)
x = torch.randn(8, requires_grad=True)
InplaceReLU.apply(x * 1.0).square().sum().backward()
print(x.grad.shape)
