import torch
from torch.autograd import gradcheck, gradgradcheck


class CubeNumpy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.from_numpy(x.numpy() ** 3)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        slope = 3 * x.numpy() ** 2
        return torch.from_numpy(slope * grad_output.numpy())


x = torch.tensor([1, 2, 3], dtype=torch.double, requires_grad=True)
print(gradcheck(CubeNumpy.apply, x))
print(gradgradcheck(CubeNumpy.apply, x))
