import torch
from torch.autograd import Function, gradcheck, gradgradcheck


class RampData(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx, grad_output):
        x = ctx.saved_tensors[0].data
        return grad_output * (x > 0)


class ReciprocalData(RampData):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return 1 / x

    @staticmethod
    def backward(ctx, grad_output):
        x = ctx.saved_tensors[0].data
        return -grad_output.data / x**2


x = torch.tensor([0.5, 2], dtype=torch.double, requires_grad=True)
for function in (RampData, ReciprocalData):
    gradcheck(function.apply, x)
    gradgradcheck(function.apply, x)
