# near miss of: create-graph-backward
# silent: yes
# seen: nothing: the graph of the gradient is made by `torch.autograd.grad`, and `.backward()` has no `create_graph`.
import torch
from torch.autograd import Function, grad


class Sin(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.sin(x)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * torch.cos(x)


torch.manual_seed(73)
frequency = torch.tensor(2.0, dtype=torch.float64, requires_grad=True)
t = torch.linspace(0, 1, 15, dtype=torch.float64, requires_grad=True)
(velocity,) = grad(Sin.apply(frequency * t).sum(), t, create_graph=True)
loss = (velocity - 1).pow(2).mean()
loss.backward()
print(frequency.grad is not None)
