import torch
from torch.autograd import gradcheck


class Clipped(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.clone()

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output.clamp(-3, 3)


x = torch.tensor([1, 2], dtype=torch.double, requires_grad=True)
print("gradcheck:", gradcheck(Clipped.apply, x))
(Clipped.apply(x) * 5).sum().backward()
print("x.grad:", x.grad.tolist())
