# intended: surrogate
# Straight through where |x| <= 1 only (binarised networks).
import torch


class Binarize(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.sign()

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        grad_input = grad.clone()
        grad_input[x.abs() > 1] = 0
        return grad_input


torch.manual_seed(37)
x = torch.randn(10, requires_grad=True)
Binarize.apply(x).sum().backward()
print(x.grad.shape)
