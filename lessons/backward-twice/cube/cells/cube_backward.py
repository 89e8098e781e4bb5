import torch
from torch.autograd import gradcheck


class CubeBackward(torch.autograd.Function):
    @staticmethod
    def forward(ctx, grad_out, x):
        ctx.save_for_backward(grad_out, x)
        return torch.from_numpy(3 * x.numpy() ** 2 * grad_out.numpy())

    @staticmethod
    def backward(ctx, grad_grad_x):
        grad_out, x = ctx.saved_tensors
        return 3 * x**2 * grad_grad_x, 6 * x * grad_out * grad_grad_x


grad_out = torch.ones(3, dtype=torch.double, requires_grad=True)
x = torch.tensor([1, 2, 3], dtype=torch.double, requires_grad=True)
print(gradcheck(CubeBackward.apply, (grad_out, x)))
