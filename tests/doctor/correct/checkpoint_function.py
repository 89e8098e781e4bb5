# Runs a callable again in backward; first derivatives only.
import torch
from torch.autograd.function import once_differentiable


class Checkpoint(torch.autograd.Function):
    @staticmethod
    def forward(ctx, run, *args):
        ctx.run = run
        ctx.save_for_backward(*args)
        with torch.no_grad():
            return run(*args)

    @staticmethod
    @once_differentiable
    def backward(ctx, grad):
        args = [a.detach().requires_grad_(a.is_floating_point()) for a in ctx.saved_tensors]
        with torch.enable_grad():
            out = ctx.run(*args)
        grads = torch.autograd.grad(out, args, grad)
        return (None, *grads)


def block(x, w):
    return torch.tanh(x @ w).square()


torch.manual_seed(30)
x, w = torch.randn(3, 4, requires_grad=True), torch.randn(4, 4, requires_grad=True)
Checkpoint.apply(block, Checkpoint.apply(block, x, w), w).sum().backward()
print(x.grad.shape, w.grad.shape)
