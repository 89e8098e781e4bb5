import torch
from torch.autograd import gradcheck, gradgradcheck


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**2

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return 2 * x * grad_output


x = torch.tensor([1, 2, 3], dtype=torch.double, requires_grad=True)
print(gradcheck(Square.apply, x))
print(gradgradcheck(Square.apply, x))
