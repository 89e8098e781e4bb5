# A bool mask comes back beside the result.
import torch


class Threshold(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, level):
        mask = x > level
        ctx.save_for_backward(mask)
        ctx.mark_non_differentiable(mask)
        return x * mask, mask

    @staticmethod
    def backward(ctx, grad, grad_mask):
        (mask,) = ctx.saved_tensors
        return grad * mask, None


torch.manual_seed(47)
x = torch.randn(6, requires_grad=True)
y, mask = Threshold.apply(x, 0.2)
(y[mask] ** 2).sum().backward()
print(mask.dtype)
