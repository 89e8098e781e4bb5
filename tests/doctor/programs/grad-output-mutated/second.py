# pitfall: grad-output-mutated
# line: 19
# silent: yes
# seen: `grad_output[~mask] = 0` writes into a tensor that belongs to autograd and that a sibling still reads; clone it, or use `grad_output * mask`.
import torch
from torch import nn


class HardReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        mask = x > 0
        ctx.save_for_backward(mask)
        return x * mask

    @staticmethod
    def backward(ctx, grad_output):
        (mask,) = ctx.saved_tensors
        grad_output[~mask] = 0
        return grad_output


class Residual(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.inner = nn.Linear(width, width)

    def forward(self, x):
        return HardReLU.apply(self.inner(x)) + x


torch.manual_seed(4)
pixels = torch.randn(6, 5, requires_grad=True)
model = Residual(5)
target = torch.rand(6, 5)
loss = (model(pixels) - target).pow(2).mean()
loss.backward()
print("pixels:", tuple(pixels.grad.shape))
