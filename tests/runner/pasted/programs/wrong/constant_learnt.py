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


x = torch.ones(3, requires_grad=True)
constant = torch.tensor(5.0, requires_grad=True)
MulConstant.apply(x, constant).sum().backward()
print(x.grad, constant.grad)       # 3 was expected for the constant
