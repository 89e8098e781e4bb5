import torch
from torch.autograd import gradcheck, gradgradcheck


class ReciprocalData(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return 1 / x

    @staticmethod
    def backward(ctx, grad_output):
        x = ctx.saved_tensors[0].data
        return -grad_output.data / x**2


x = torch.tensor([0.5, 2], dtype=torch.double, requires_grad=True)
print("gradcheck:", gradcheck(ReciprocalData.apply, x))
gradgradcheck(ReciprocalData.apply, x)
