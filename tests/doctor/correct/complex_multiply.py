# The other factor is conjugated in backward.
import torch


class Multiply(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a * b

    @staticmethod
    def backward(ctx, grad):
        a, b = ctx.saved_tensors
        return grad * b.conj(), grad * a.conj()


torch.manual_seed(22)
a = torch.randn(3, dtype=torch.complex64, requires_grad=True)
b = torch.randn(3, dtype=torch.complex64, requires_grad=True)
Multiply.apply(a, b).abs().sum().backward()
print(a.grad.dtype, b.grad.dtype)
