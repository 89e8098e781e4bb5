# pitfall: not-deterministic
# line: 19
# silent: yes
# seen: backward draws a new random mask instead of using forward's, so gradient and value do not belong together; save the mask.
import torch
from torch import nn
from torch.autograd import Function


class DropConnect(Function):
    @staticmethod
    def forward(ctx, weight, p):
        ctx.p = p
        keep = torch.rand_like(weight) > p
        return weight * keep / (1 - p)

    @staticmethod
    def backward(ctx, grad_output):
        keep = torch.rand_like(grad_output) > ctx.p
        return grad_output * keep / (1 - ctx.p), None


torch.manual_seed(51)
linear = nn.Linear(12, 4)
cells = torch.randn(20, 12)
target = torch.randn(20, 4)
for _ in range(2):
    weight = DropConnect.apply(linear.weight, 0.5)
    loss = nn.functional.mse_loss(nn.functional.linear(cells, weight, linear.bias), target)
    loss.backward()
    with torch.no_grad():
        linear.weight -= 0.1 * linear.weight.grad
    linear.zero_grad()
print("two steps")
