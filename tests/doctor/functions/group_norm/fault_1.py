# fault: factor
# line: 27
# order: 1
import torch
from torch.autograd import Function
from torch.autograd.function import FunctionCtx


class GroupNorm(Function):
    @staticmethod
    def forward(ctx: FunctionCtx, x, gain, groups, eps):
        n, c, h, w = x.shape
        grouped = x.reshape(n, groups, -1)
        mean = grouped.mean(2, keepdim=True)
        var = grouped.var(2, unbiased=False, keepdim=True)
        z = ((grouped - mean) / torch.sqrt(var + eps)).reshape(n, c, h, w)
        ctx.groups = groups
        ctx.eps = eps
        ctx.save_for_backward(x, gain)
        return z * gain.view(1, c, 1, 1)

    @staticmethod
    def backward(ctx, grad_output):
        x, gain = ctx.saved_tensors
        n, c, h, w = x.shape
        grouped = x.reshape(n, ctx.groups, -1)
        count = h * w
        mean = grouped.mean(2, keepdim=True)
        std = torch.sqrt(grouped.var(2, unbiased=False, keepdim=True) + ctx.eps)
        z = (grouped - mean) / std

        grad_gain = (grad_output * z.reshape(n, c, h, w)).sum((0, 2, 3))

        dz = (grad_output * gain.view(1, c, 1, 1)).reshape(n, ctx.groups, -1)
        total = dz.sum(2, keepdim=True)
        along = (dz * z).sum(2, keepdim=True)
        dx = (dz - (total + z * along) / count) / std
        return dx.reshape(n, c, h, w), grad_gain, None, None


torch.manual_seed(4)
images = torch.randn(2, 6, 3, 3, dtype=torch.float64, requires_grad=True)
gain = torch.rand(6, dtype=torch.float64).add(0.5).requires_grad_()
features = GroupNorm.apply(images, gain, 3, 1e-5)
loss = (features * features.roll(1, dims=1)).mean()
loss.backward()
print(images.grad.shape, gain.grad.shape)
