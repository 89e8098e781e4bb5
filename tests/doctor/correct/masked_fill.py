# Padding receives no gradient.
import torch


class MaskedFill(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, mask, value):
        ctx.save_for_backward(mask)
        return x.masked_fill(mask, value)

    @staticmethod
    def backward(ctx, grad):
        (mask,) = ctx.saved_tensors
        return grad.masked_fill(mask, 0), None, None


x = torch.randn(2, 4, generator=torch.Generator().manual_seed(5)).requires_grad_()
future = torch.ones(2, 4, dtype=torch.bool).triu(1)
MaskedFill.apply(x, future, -1e9).softmax(1)[:, 0].sum().backward()
print(x.grad.shape)
