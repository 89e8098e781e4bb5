# pitfall: keyword-arguments
# line: 20
# silent: no
# seen: an argument given by keyword counts as an input, too, so backward has to return 2 values; add a `None` for `negative_slope`.
import torch
from torch import nn
from torch.autograd import Function


class LeakyReLU(Function):
    @staticmethod
    def forward(ctx, x, negative_slope=0.01):
        ctx.save_for_backward(x)
        ctx.negative_slope = negative_slope
        return torch.where(x > 0, x, negative_slope * x)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return torch.where(x > 0, grad_output, ctx.negative_slope * grad_output)


class Layer(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)

    def forward(self, x):
        return LeakyReLU.apply(self.linear(x), negative_slope=0.2)


torch.manual_seed(40)
layer = Layer(6)
loss = layer(torch.randn(3, 6)).pow(2).mean()
loss.backward()
print(layer.linear.weight.grad)
