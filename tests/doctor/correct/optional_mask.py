# A mask that may be missing.
import torch


class MaskedMean(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, mask=None):
        if mask is None:
            mask = torch.ones(x.shape, dtype=torch.bool)
        ctx.save_for_backward(mask)
        ctx.count = int(mask.sum())
        return x[mask].sum() / ctx.count

    @staticmethod
    def backward(ctx, grad):
        (mask,) = ctx.saved_tensors
        return grad * mask / ctx.count, None


torch.manual_seed(14)
x = torch.randn(3, 5, requires_grad=True)
keep = torch.rand(3, 5) > 0.4
(MaskedMean.apply(x, keep) ** 2 + MaskedMean.apply(x) ** 2).backward()
print(x.grad.shape)
