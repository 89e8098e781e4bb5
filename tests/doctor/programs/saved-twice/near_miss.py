# near miss of: saved-twice
# silent: yes
# seen: nothing: there are two calls of `save_for_backward`, and only one of them is reached.
import torch
from torch.autograd import Function


class Linear(Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        out = x @ weight.t()
        if bias is None:
            ctx.save_for_backward(x, weight)
        else:
            out = out + bias
            ctx.save_for_backward(x, weight, bias)
        return out

    @staticmethod
    def backward(ctx, grad_output):
        x, weight, *rest = ctx.saved_tensors
        grad_bias = grad_output.sum(dim=0) if rest else None
        return grad_output @ weight, grad_output.t() @ x, grad_bias


torch.manual_seed(58)
x = torch.randn(6, 4, dtype=torch.float64)
weight = torch.randn(3, 4, dtype=torch.float64, requires_grad=True)
bias = torch.zeros(3, dtype=torch.float64, requires_grad=True)
loss = Linear.apply(x, weight, bias).pow(2).mean() + Linear.apply(x, weight).sum()
loss.backward()
print(tuple(weight.grad.shape), tuple(bias.grad.shape))
