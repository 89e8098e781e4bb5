import torch
from torch.autograd import gradcheck, gradgradcheck


class Sinh(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        up, down = torch.exp(x), torch.exp(-x)
        ctx.save_for_backward(up, down)
        return (up - down) / 2, up, down

    @staticmethod
    def backward(ctx, grad_out, grad_up, grad_down):
        up, down = ctx.saved_tensors
        grad_x = grad_out * (up + down) / 2
        return grad_x + grad_up * up - grad_down * down


def sinh(x):
    return Sinh.apply(x)[0]


x = torch.tensor([0.5, 1, 2], dtype=torch.double, requires_grad=True)
print(gradcheck(sinh, x))
print(gradgradcheck(sinh, x))
