import torch
from torch.autograd import gradcheck, gradgradcheck


class Exp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        out = torch.exp(x)
        ctx.save_for_backward(out)
        return out

    @staticmethod
    def backward(ctx, grad_output):
        (out,) = ctx.saved_tensors
        return out * grad_output


x = torch.tensor([0, 1, 2], dtype=torch.double, requires_grad=True)
print(gradcheck(Exp.apply, x))
print(gradgradcheck(Exp.apply, x))
