# pitfall: not-a-scalar
# line: 28
# silent: no
# seen: `.backward()` needs one number, and `losses` has one per sample; take `.mean()` or pass `gradient`.
import torch
from torch import nn
from torch.autograd import Function


class HingeLoss(Function):
    @staticmethod
    def forward(ctx, margin):
        ctx.save_for_backward(margin)
        return (1 - margin).clamp(min=0)

    @staticmethod
    def backward(ctx, grad_output):
        (margin,) = ctx.saved_tensors
        return -grad_output * (margin < 1)


torch.manual_seed(76)
separator = nn.Linear(2, 1)
points = torch.randn(30, 2)
side = torch.sign(points[:, 0])
for epoch in range(10):
    losses = HingeLoss.apply(side * separator(points).squeeze(1))
    losses.backward()
    with torch.no_grad():
        for parameter in separator.parameters():
            parameter -= 0.1 * parameter.grad
    separator.zero_grad()
print(separator.weight)
