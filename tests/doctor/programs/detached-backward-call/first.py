# pitfall: detached-backward-call
# line: 28
# silent: no
# seen: `.detach()` cuts the loss off from its graph before `.backward()`; detach only what is printed.
import torch
from torch import nn
from torch.autograd import Function


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return 2 * x * grad_output


torch.manual_seed(78)
thermostat = nn.Linear(3, 1)
weather = torch.randn(14, 3)
comfort = torch.randn(14, 1)
history = []
for day in range(3):
    loss = Square.apply(thermostat(weather) - comfort).mean().detach()
    history.append(loss)
    loss.backward()
    with torch.no_grad():
        thermostat.weight -= 0.1 * thermostat.weight.grad
    thermostat.zero_grad()
print(len(history))
