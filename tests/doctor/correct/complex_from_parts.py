# Two real inputs, one complex output.
import torch


class MakeComplex(torch.autograd.Function):
    @staticmethod
    def forward(ctx, real, imag):
        return torch.complex(real, imag)

    @staticmethod
    def backward(ctx, grad):
        return grad.real, grad.imag


re = torch.tensor([1.0, 2.0], requires_grad=True)
im = torch.tensor([0.5, -1.0], requires_grad=True)
z = MakeComplex.apply(re, im)
(z * z).abs().sum().backward()
print(re.grad.dtype, im.grad.dtype)
