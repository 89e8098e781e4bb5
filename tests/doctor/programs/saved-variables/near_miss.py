# near miss of: saved-variables
# silent: yes
# seen: nothing: `saved_variables` is the learner's own name, and ctx is asked for `saved_tensors`.
import torch
from torch.autograd import Function


class Scale(Function):
    @staticmethod
    def forward(ctx, value, factor):
        ctx.save_for_backward(value, factor)
        return value * factor

    @staticmethod
    def backward(ctx, grad_output):
        saved_variables = ctx.saved_tensors
        value, factor = saved_variables
        return grad_output * factor, grad_output * value


torch.manual_seed(38)
heights = torch.randn(6, dtype=torch.float64, requires_grad=True)
factor = torch.randn(6, dtype=torch.float64, requires_grad=True)
saved_variables = {"heights": heights, "factor": factor}
loss = Scale.apply(heights, factor).pow(2).mean()
loss.backward()
print({name: variable.grad is not None for name, variable in saved_variables.items()})
