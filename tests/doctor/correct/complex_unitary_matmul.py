# A complex matrix product with conjugate transposes.
import torch


class ComplexMatmul(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a @ b

    @staticmethod
    def backward(ctx, grad):
        a, b = ctx.saved_tensors
        return grad @ b.mH, a.mH @ grad


torch.manual_seed(25)
state = torch.randn(2, 1, dtype=torch.complex128, requires_grad=True)
gate = torch.randn(2, 2, dtype=torch.complex128, requires_grad=True)
ComplexMatmul.apply(gate, state).abs().square()[0].sum().backward()
print(gate.grad.shape, state.grad.shape)
