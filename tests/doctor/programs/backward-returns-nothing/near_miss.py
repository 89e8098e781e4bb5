# near miss of: backward-returns-nothing
# silent: yes
# seen: nothing: the input whose gradient is None needs none.
import torch
from torch.autograd import Function


class MaskedSquare(Function):
    @staticmethod
    def forward(ctx, weight, data):
        ctx.save_for_backward(weight, data)
        return weight * data**2

    @staticmethod
    def backward(ctx, grad_output):
        weight, data = ctx.saved_tensors
        grad_weight = grad_data = None
        if ctx.needs_input_grad[0]:
            grad_weight = grad_output * data**2
        if ctx.needs_input_grad[1]:
            grad_data = grad_output * weight * 2 * data
        return grad_weight, grad_data


torch.manual_seed(6)
observed = torch.randn(9, dtype=torch.float64)
weight = torch.ones(9, dtype=torch.float64, requires_grad=True)
for epoch in range(3):
    cost = MaskedSquare.apply(weight, observed).sum()
    cost.backward()
    with torch.no_grad():
        weight -= 0.1 * weight.grad
    weight.grad = None
print(observed.grad is None)
