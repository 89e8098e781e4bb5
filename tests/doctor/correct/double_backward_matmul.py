# Backward in terms of the same Function.
import torch


class MatMul(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a @ b

    @staticmethod
    def backward(ctx, grad):
        a, b = ctx.saved_tensors
        return MatMul.apply(grad, b.t()), MatMul.apply(a.t(), grad)


torch.manual_seed(52)
a = torch.randn(2, 3, dtype=torch.float64, requires_grad=True)
b = torch.randn(3, 2, dtype=torch.float64, requires_grad=True)
(ga,) = torch.autograd.grad(MatMul.apply(a, b).sin().sum(), a, create_graph=True)
ga.square().sum().backward()
print(b.grad.shape)
