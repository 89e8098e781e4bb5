# pitfall: grad-output-mutated
# line: 17
# silent: yes
# seen: `grad_output` is changed in place, and the other branch of the sum reads the same tensor; multiply into a new tensor.
import torch
from torch.autograd import Function


class Amplify(Function):
    @staticmethod
    def forward(ctx, x, factor):
        ctx.factor = factor
        return x * factor

    @staticmethod
    def backward(ctx, grad_output):
        grad_output *= ctx.factor
        return grad_output, None


torch.manual_seed(10)
voltage = torch.randn(4, 3, requires_grad=True)
current = torch.randn(4, 3, requires_grad=True)
gate = torch.sigmoid(voltage)
scaled = Amplify.apply(current, 10.0)
merged = scaled + gate
loss = (merged**2).sum()
loss.backward()
print("voltage:", tuple(voltage.grad.shape), " current:", tuple(current.grad.shape))
