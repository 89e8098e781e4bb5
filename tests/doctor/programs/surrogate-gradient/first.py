# pitfall: surrogate-gradient
# line: 17
# silent: yes
# seen: backward passes the gradient straight through although `round` has slope zero: a surrogate gradient, if that is meant.
import torch
from torch import nn
from torch.autograd import Function


class Quantise(Function):
    @staticmethod
    def forward(ctx, x, levels):
        return torch.round(x * levels) / levels

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output, None


class QuantisedLinear(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(outputs, inputs) * 0.3)

    def forward(self, x):
        return x @ Quantise.apply(self.weight, 8).t()


torch.manual_seed(35)
layer = QuantisedLinear(6, 2)
x, y = torch.randn(20, 6), torch.randn(20, 2)
for _ in range(3):
    loss = nn.functional.mse_loss(layer(x), y)
    loss.backward()
    with torch.no_grad():
        layer.weight -= 0.1 * layer.weight.grad
    layer.weight.grad = None
print("trained")
