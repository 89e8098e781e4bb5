# Any two shapes that broadcast.
import torch


class Multiply(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a * b

    @staticmethod
    def backward(ctx, grad):
        a, b = ctx.saved_tensors
        return (grad * b).sum_to_size(a.shape), (grad * a).sum_to_size(b.shape)


torch.manual_seed(57)
a, b = torch.randn(3, 1, requires_grad=True), torch.randn(2, 1, 4, requires_grad=True)
Multiply.apply(a, b).square().sum().backward()
print(a.grad.shape, b.grad.shape)
