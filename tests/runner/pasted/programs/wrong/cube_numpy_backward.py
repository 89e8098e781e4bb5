import torch
import numpy as np
from torch.autograd import gradcheck, gradgradcheck


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.from_numpy(np.power(x.detach().numpy(), 3))

    @staticmethod
    def backward(ctx, grad_out):
        x, = ctx.saved_tensors
        return torch.from_numpy(3 * grad_out.numpy() * x.numpy() ** 2)


x = torch.rand(3, requires_grad=True, dtype=torch.double)
print(gradcheck(Cube.apply, x))
print(gradgradcheck(Cube.apply, x))
