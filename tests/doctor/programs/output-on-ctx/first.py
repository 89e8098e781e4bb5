# pitfall: output-on-ctx
# line: 13
# silent: yes
# seen: the output kept as `ctx.y` points back at its own node, a cycle that only the garbage collector frees; use `save_for_backward(y)`.
import torch
from torch.autograd import Function


class Sigmoid(Function):
    @staticmethod
    def forward(ctx, x):
        y = 1 / (1 + torch.exp(-x))
        ctx.y = y
        return y

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * ctx.y * (1 - ctx.y)


torch.manual_seed(17)
weight = torch.zeros(10, requires_grad=True)
inputs = torch.randn(200, 10)
labels = (inputs[:, 0] > 0).float()
for epoch in range(20):
    probability = Sigmoid.apply(inputs @ weight)
    loss = -(labels * probability.log() + (1 - labels) * (1 - probability).log()).mean()
    loss.backward()
    with torch.no_grad():
        weight -= 0.5 * weight.grad
    weight.grad = None
print("accuracy above 0.9:", ((inputs @ weight > 0).float() == labels).float().mean().item() > 0.9)
