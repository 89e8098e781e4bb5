import torch
from torch.autograd import gradcheck


class Logistic(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.sigmoid(x)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        e = torch.exp(-x)
        return grad_output * e / (1 + e) ** 2


x = torch.tensor([-90.0, 0.0], dtype=torch.double, requires_grad=True)
print("gradcheck:", gradcheck(Logistic.apply, x))
single = x.detach().float().requires_grad_()
Logistic.apply(single).sum().backward()
print("single.grad:", single.grad.tolist())
