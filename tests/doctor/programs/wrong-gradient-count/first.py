# pitfall: wrong-gradient-count
# line: 21
# silent: no
# seen: backward returns 2 gradients and forward has 3 inputs; the bias needs one, too.
import torch
from torch import nn
from torch.autograd import Function


class LinearFunction(Function):
    @staticmethod
    def forward(ctx, input, weight, bias):
        ctx.save_for_backward(input, weight)
        return input @ weight.t() + bias

    @staticmethod
    def backward(ctx, grad_output):
        input, weight = ctx.saved_tensors
        grad_input = grad_output @ weight
        grad_weight = grad_output.t() @ input
        return grad_input, grad_weight


class MyLinear(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(outputs, inputs) * 0.1)
        self.bias = nn.Parameter(torch.zeros(outputs))

    def forward(self, x):
        return LinearFunction.apply(x, self.weight, self.bias)


torch.manual_seed(4)
model = nn.Sequential(MyLinear(8, 16), nn.ReLU(), MyLinear(16, 1))
x, y = torch.randn(32, 8), torch.randn(32, 1)
loss = nn.functional.mse_loss(model(x), y)
loss.backward()
print("done")
