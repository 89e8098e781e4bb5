# pitfall: saved-tensors-not-unpacked
# line: 18
# silent: no
# seen: `ctx.saved_tensors` is a tuple, also of one tensor; write `(x,) = ctx.saved_tensors`.
import torch
from torch import nn
from torch.autograd import Function


class Silu(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x / (1 + torch.exp(-x))

    @staticmethod
    def backward(ctx, grad_output):
        x = ctx.saved_tensors
        s = torch.sigmoid(x)
        return grad_output * s * (1 + x * (1 - s))


class Regressor(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(3, 10)
        self.last = nn.Linear(10, 1)

    def forward(self, x):
        return self.last(Silu.apply(self.first(x)))


torch.manual_seed(56)
wine = torch.randn(12, 3)
quality = torch.rand(12, 1)
model = Regressor()
loss = (model(wine) - quality).pow(2).mean()
loss.backward()
print(model.first.weight.grad)
