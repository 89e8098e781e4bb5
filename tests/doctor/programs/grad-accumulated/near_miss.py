# near miss of: grad-accumulated
# silent: yes
# seen: nothing: the gradients of the micro-batches are summed on purpose, each divided by their number, and then set back.
import torch
from torch.autograd import Function


class Relu(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * (x > 0)


torch.manual_seed(87)
weights = torch.randn(3, 2, dtype=torch.float64, requires_grad=True)
bees = torch.randn(16, 3, dtype=torch.float64)
for epoch in range(2):
    for batch in bees.split(4):
        loss = Relu.apply(batch @ weights).pow(2).mean() / 4
        loss.backward()
    with torch.no_grad():
        weights -= 0.1 * weights.grad
    weights.grad = None
print("trained for", epoch + 1, "epochs")
