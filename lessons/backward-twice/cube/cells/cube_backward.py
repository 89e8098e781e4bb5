import torch
from torch.autograd import gradcheck


class CubeBackward(torch.autograd.Function):
    @staticmethod
    def forward(ctx, grad_output, x):
        ctx.save_for_backward(grad_output, x)
        slope = 3 * x.numpy() ** 2
        return torch.from_numpy(slope * grad_output.numpy())

    @staticmethod
    def backward(ctx, grad_grad_x):
        grad_output, x = ctx.saved_tensors
        return 3 * x**2 * grad_grad_x, 6 * x * grad_output * grad_grad_x


grad_output = torch.ones(3, dtype=torch.double, requires_grad=True)
x = torch.tensor([1, 2, 3], dtype=torch.double, requires_grad=True)
print(gradcheck(CubeBackward.apply, (grad_output, x)))
