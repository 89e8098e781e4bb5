# pitfall: auxiliary-output-unmarked
# line: 21
# silent: yes
# seen: backward ignores `grad_norm`, the gradient of the second output, which the loss uses; add its term, or mark the output non-differentiable.
import torch
from torch import nn
from torch.autograd import Function


class UnitVector(Function):
    """Direction and length of each row."""

    @staticmethod
    def forward(ctx, x):
        norm = x.norm(dim=1, keepdim=True)
        unit = x / norm
        ctx.save_for_backward(unit, norm)
        return unit, norm

    @staticmethod
    def backward(ctx, grad_unit, grad_norm):
        unit, norm = ctx.saved_tensors
        along = (grad_unit * unit).sum(dim=1, keepdim=True)
        return (grad_unit - along * unit) / norm


torch.manual_seed(84)
embed = nn.Linear(5, 3)
anchors, others = torch.randn(8, 5), torch.randn(8, 5)
unit_a, norm_a = UnitVector.apply(embed(anchors))
unit_b, norm_b = UnitVector.apply(embed(others))
similarity = (unit_a * unit_b).sum(dim=1)
loss = (1 - similarity).mean() + 0.1 * (norm_a - 1).pow(2).mean()
loss.backward()
print("embedding:", tuple(embed.weight.grad.shape))
