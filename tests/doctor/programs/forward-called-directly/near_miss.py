# near miss of: forward-called-directly
# silent: yes
# seen: nothing: the module's own `forward` is called, and it calls `Cube.apply`.
import torch
from torch import nn


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return x**3

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return 3 * x**2 * grad_output


class CubicLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 3)

    def forward(self, x):
        return Cube.apply(self.linear(x))


class Doubled(CubicLayer):
    def forward(self, x):
        return 2 * CubicLayer.forward(self, x)


torch.manual_seed(0)
layer = Doubled()
layer.forward(torch.randn(4, 3)).sum().backward()
print("weight has a gradient:", layer.linear.weight.grad is not None)
