# pitfall: grad-accumulated
# line: 28
# silent: yes
# seen: the gradients of all epochs are summed, as nothing sets them back to zero; call `model.zero_grad()` in the loop.
import torch
from torch import nn
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
model = nn.Linear(3, 2)
bees = torch.randn(16, 3)
honey = torch.rand(16, 2)
for epoch in range(5):
    loss = (Relu.apply(model(bees)) - honey).pow(2).mean()
    loss.backward()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter -= 0.1 * parameter.grad
print("trained for", epoch + 1, "epochs")
