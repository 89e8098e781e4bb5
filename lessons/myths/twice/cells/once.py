import torch
from torch.autograd.function import once_differentiable
from torch.autograd.functional import hessian


class ReciprocalOnce(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return 1 / x

    @staticmethod
    @once_differentiable
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return -grad_output / x**2


x = torch.tensor(0.5, dtype=torch.double)
print("plain 1 / x:   ", hessian(lambda x: 1 / x, x).item())
print("ReciprocalOnce:", hessian(ReciprocalOnce.apply, x).item())
