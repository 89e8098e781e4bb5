# Swaps the halves of two buffers in place and returns both.
import torch


class SwapRows(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        row = a[0].clone()
        a[0] = b[0]
        b[0] = row
        ctx.mark_dirty(a, b)
        return a, b

    @staticmethod
    def backward(ctx, grad_a, grad_b):
        new_a = torch.cat((grad_b[:1], grad_a[1:]))
        new_b = torch.cat((grad_a[:1], grad_b[1:]))
        return new_a, new_b


a = torch.ones(2, 3, requires_grad=True)
b = torch.full((2, 3), 2.0, requires_grad=True)
x, y = SwapRows.apply(a * 1, b * 1)
(x.sum() + (y**2).sum()).backward()
print(a.grad.tolist(), b.grad.tolist())
