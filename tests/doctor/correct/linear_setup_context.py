# A linear layer, forward without ctx.
import torch
from torch.autograd import Function


class Linear(Function):
    @staticmethod
    def forward(x, weight, bias):
        y = x.mm(weight.t())
        if bias is not None:
            y = y + bias
        return y

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, weight, bias = inputs
        ctx.save_for_backward(x, weight)
        ctx.has_bias = bias is not None

    @staticmethod
    def backward(ctx, grad_output):
        x, weight = ctx.saved_tensors
        grad_x = grad_weight = grad_bias = None
        if ctx.needs_input_grad[0]:
            grad_x = grad_output.mm(weight)
        if ctx.needs_input_grad[1]:
            grad_weight = grad_output.t().mm(x)
        if ctx.has_bias and ctx.needs_input_grad[2]:
            grad_bias = grad_output.sum(0)
        return grad_x, grad_weight, grad_bias


torch.manual_seed(2)
x = torch.randn(5, 3)
w = torch.randn(2, 3, requires_grad=True)
b = torch.randn(2, requires_grad=True)
loss = Linear.apply(x, w, b).relu().sum() + Linear.apply(x, w, None).sum()
loss.backward()
print(w.grad.shape, b.grad.shape)
