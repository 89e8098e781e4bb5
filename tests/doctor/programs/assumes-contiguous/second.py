# pitfall: assumes-contiguous
# line: 23
# silent: no
# seen: `.view` needs a contiguous `grad_output`, which a transposed result does not send; use `.reshape`.
import torch
from torch import nn


class PerHeadScale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale):
        batch, length, width = x.shape
        heads = scale.numel()
        ctx.save_for_backward(x, scale)
        split = x.reshape(batch, length, heads, width // heads)
        return (split * scale.view(1, 1, heads, 1)).reshape(batch, length, width)

    @staticmethod
    def backward(ctx, grad_output):
        x, scale = ctx.saved_tensors
        batch, length, width = x.shape
        heads = scale.numel()
        grad = grad_output.view(batch * length, heads, width // heads)
        split = x.reshape(batch * length, heads, width // heads)
        grad_scale = (grad * split).sum(dim=(0, 2))
        grad_x = (grad * scale.view(1, heads, 1)).reshape(batch, length, width)
        return grad_x, grad_scale


torch.manual_seed(45)
tokens = torch.randn(2, 5, 8, requires_grad=True)
scale = torch.ones(4, requires_grad=True)
conv = nn.Conv1d(8, 3, 1)
mixed = PerHeadScale.apply(tokens, scale).transpose(1, 2)
loss = (mixed * torch.randn(2, 8, 5)).sum() + conv(mixed).mean()
loss.backward()
print(scale.grad)
