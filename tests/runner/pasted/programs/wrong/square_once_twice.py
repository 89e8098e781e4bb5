import torch
from torch.autograd.function import once_differentiable


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x ** 2

    @staticmethod
    @once_differentiable
    def backward(ctx, grad_out):
        x, = ctx.saved_tensors
        return grad_out * 2 * x


x = torch.tensor([1., 2.], requires_grad=True)
loss = (Square.apply(x) ** 2).sum()
grad_x, = torch.autograd.grad(loss, x, create_graph=True)
grad_x.pow(2).sum().backward()
print(x.grad)
