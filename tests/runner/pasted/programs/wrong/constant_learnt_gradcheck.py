import torch
from torch.autograd import Function


class MulConstant(Function):
    @staticmethod
    def forward(ctx, tensor, constant):
        ctx.constant = constant
        return tensor * constant

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * ctx.constant, None


x = torch.ones(3, dtype=torch.double, requires_grad=True)
constant = torch.tensor(5.0, dtype=torch.double, requires_grad=True)
print(torch.autograd.gradcheck(MulConstant.apply, (x, constant)))
