import torch
from torch.autograd import Function


class MulConstant(Function):
    @staticmethod
    def forward(ctx, tensor, constant):
        ctx.save_for_backward(tensor, constant)
        return tensor * constant

    @staticmethod
    def backward(ctx, grad_output):
        tensor, constant = ctx.saved_tensors
        return grad_output * constant, None


x = torch.ones(3, requires_grad=True)
MulConstant.apply(x, 5).sum().backward()
