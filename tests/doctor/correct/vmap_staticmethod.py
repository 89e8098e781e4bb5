# A batching rule written by hand: the outer product of batches.
import torch


class Outer(torch.autograd.Function):
    @staticmethod
    def forward(a, b):
        return a.unsqueeze(-1) * b.unsqueeze(-2)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, grad):
        a, b = ctx.saved_tensors
        grad_a = (grad * b.unsqueeze(-2)).sum(-1)
        grad_b = (grad * a.unsqueeze(-1)).sum(-2)
        return grad_a, grad_b

    @staticmethod
    def vmap(info, in_dims, a, b):
        a = a.movedim(in_dims[0], 0) if in_dims[0] is not None else a.expand(info.batch_size, *a.shape)
        b = b.movedim(in_dims[1], 0) if in_dims[1] is not None else b.expand(info.batch_size, *b.shape)
        return Outer.apply(a, b), 0


torch.manual_seed(3)
a = torch.randn(4, 3, requires_grad=True)
b = torch.randn(2, requires_grad=True)
out = torch.func.vmap(Outer.apply, in_dims=(0, None))(a, b)
out.square().sum().backward()
print(out.shape, a.grad.shape, b.grad.shape)
