# pitfall: create-graph-backward
# line: 35
# silent: no
# seen: `.backward(create_graph=True)` ties parameters and their gradients into a cycle; use `torch.autograd.grad(..., create_graph=True)`.
import torch
from torch import nn
from torch.autograd import Function


class Sin(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.sin(x)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * torch.cos(x)


class Siren(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(1, 12)
        self.last = nn.Linear(12, 1)

    def forward(self, t):
        return self.last(Sin.apply(3 * self.first(t)))


torch.manual_seed(73)
field = Siren()
t = torch.linspace(0, 1, 15).unsqueeze(1).requires_grad_(True)
field(t).sum().backward(create_graph=True)
velocity = t.grad
loss = (velocity - 1).pow(2).mean()
loss.backward()
print("second order:", tuple(field.first.weight.grad.shape))
