# A holomorphic function: the derivative is conjugated.
import torch


class ComplexExp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, z):
        w = torch.exp(z)
        ctx.save_for_backward(w)
        return w

    @staticmethod
    def backward(ctx, grad):
        (w,) = ctx.saved_tensors
        return grad * w.conj()


phase = torch.tensor([0.1, 0.7, 2.0], dtype=torch.float64, requires_grad=True)
w = ComplexExp.apply(torch.complex(torch.zeros_like(phase), phase))
(w.sum().abs() ** 2).backward()
print(phase.grad.dtype)
