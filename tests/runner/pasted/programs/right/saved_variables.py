import torch
from torch.autograd import Function, Variable


class Mul(Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a * b

    @staticmethod
    def backward(ctx, grad_output):
        a, b = ctx.saved_variables
        return grad_output * b, grad_output * a


x = Variable(torch.Tensor([1, 2]), requires_grad=True)
w = Variable(torch.Tensor([3, 4]), requires_grad=True)
Mul.apply(x, w).sum().backward()
print(x.grad.data, w.grad.data)
