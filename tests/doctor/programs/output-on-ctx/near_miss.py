# near miss of: output-on-ctx
# silent: yes
# seen: nothing: the output is saved with `save_for_backward`, and what is on ctx are its shape and a tensor that is no output.
import torch
from torch.autograd import Function


class Sigmoid(Function):
    @staticmethod
    def forward(ctx, x):
        y = 1 / (1 + torch.exp(-x))
        ctx.save_for_backward(y)
        ctx.y_shape = y.shape
        ctx.saturated = (y > 0.999).sum()
        return y

    @staticmethod
    def backward(ctx, grad_output):
        (y,) = ctx.saved_tensors
        assert y.shape == ctx.y_shape
        return grad_output * y * (1 - y)


torch.manual_seed(17)
weight = torch.zeros(10, requires_grad=True)
inputs = torch.randn(50, 10)
for epoch in range(5):
    probability = Sigmoid.apply(inputs @ weight)
    loss = (probability - 0.3).pow(2).mean()
    loss.backward()
    with torch.no_grad():
        weight -= 0.5 * weight.grad
    weight.grad = None
print("trained")
