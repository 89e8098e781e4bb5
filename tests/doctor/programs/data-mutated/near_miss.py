# near miss of: data-mutated
# silent: yes
# seen: nothing: `.data` is changed only after backward, as an optimizer's step.
import torch
from torch.autograd import Function


class Exponential(Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.exp(x)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad_y):
        (y,) = ctx.saved_tensors
        return grad_y * y


torch.manual_seed(16)
rates = torch.randn(4, 6, dtype=torch.float64, requires_grad=True)
for step in range(4):
    predicted = Exponential.apply(rates)
    loss = (predicted - 1).pow(2).mean()
    loss.backward()
    rates.data.sub_(0.5 * rates.grad.data)
    rates.data.clamp_(-3, 3)
    rates.grad = None
print("bounded:", bool((rates.abs() <= 3).all()))
