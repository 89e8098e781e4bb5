# Each gradient is computed only where it is needed, by the right index.
import torch


class Bilinear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, left, middle, right):
        ctx.save_for_backward(left, middle, right)
        return torch.einsum("ni,ij,nj->n", left, middle, right)

    @staticmethod
    def backward(ctx, grad):
        left, middle, right = ctx.saved_tensors
        need = ctx.needs_input_grad
        return (
            grad[:, None] * (right @ middle.t()) if need[0] else None,
            torch.einsum("n,ni,nj->ij", grad, left, right) if need[1] else None,
            grad[:, None] * (left @ middle) if need[2] else None,
        )


torch.manual_seed(16)
left, right = torch.randn(5, 3), torch.randn(5, 2, requires_grad=True)
middle = torch.randn(3, 2, requires_grad=True)
Bilinear.apply(left, middle, right).tanh().sum().backward()
print(left.grad, middle.grad.shape)
