# near miss of: instantiated
# silent: yes
# seen: nothing: the object made is a module, and what it calls is `apply`.
import torch
from torch import nn
from torch.autograd import Function


class MishFunction(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * torch.tanh(nn.functional.softplus(x))

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        t = torch.tanh(nn.functional.softplus(x))
        return grad_output * (t + x * (1 - t * t) * torch.sigmoid(x))


class Mish(nn.Module):
    def __init__(self):
        super().__init__()
        self.function = MishFunction.apply

    def forward(self, x):
        return self.function(x)


torch.manual_seed(8)
network = nn.Sequential(nn.Linear(5, 4), Mish(), nn.Linear(4, 1))
Mish()(network(torch.randn(3, 5))).sum().backward()
print(tuple(network[0].weight.grad.shape))
