import torch


class MulConstant(torch.autograd.Function):
    @staticmethod
    def forward(ctx, tensor, constant=2.0):
        ctx.constant = constant
        return tensor * constant

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * ctx.constant


x = torch.ones(2, requires_grad=True)
MulConstant.apply(x, constant=3.0).sum().backward()
print(x.grad)
