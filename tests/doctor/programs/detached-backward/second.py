# pitfall: detached-backward
# line: 18
# silent: yes
# seen: `rate.item()` turns a tensor into a number in backward, so the gradient no longer depends on `rate`; multiply by the tensor.
import torch
from torch import nn


class Decay(torch.autograd.Function):
    @staticmethod
    def forward(ctx, amount, rate):
        ctx.save_for_backward(amount, rate)
        return amount * torch.exp(-rate)

    @staticmethod
    def backward(ctx, grad_output):
        amount, rate = ctx.saved_tensors
        factor = torch.exp(torch.tensor(-rate.item(), dtype=amount.dtype))
        grad_amount = grad_output * factor
        grad_rate = -(grad_output * amount * factor).sum()
        return grad_amount, grad_rate


class Plant(nn.Module):
    def __init__(self):
        super().__init__()
        self.rate = nn.Parameter(torch.tensor(0.7))

    def forward(self, amount):
        return Decay.apply(amount, self.rate)


torch.manual_seed(34)
plant = Plant()
amount = (torch.rand(6) + 0.5).requires_grad_(True)
remaining = plant(amount)
(sensitivity,) = torch.autograd.grad(remaining.pow(2).sum(), amount, create_graph=True)
penalty = (sensitivity - 0.1).pow(2).sum()
penalty.backward()
print("rate:", plant.rate.grad is not None)
