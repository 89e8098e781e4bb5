# Dropout is drawn again with the same generator state.
import torch
from torch.autograd.function import once_differentiable


class CheckpointDropout(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, p):
        ctx.p = p
        ctx.state = torch.get_rng_state()
        return torch.nn.functional.dropout(torch.sin(x), p)


class RandomCheckpoint(CheckpointDropout):
    @staticmethod
    def forward(ctx, x, p):
        ctx.save_for_backward(x)
        return CheckpointDropout.forward(ctx, x, p)

    @staticmethod
    @once_differentiable
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        with torch.random.fork_rng(devices=[]), torch.enable_grad():
            torch.set_rng_state(ctx.state)
            x = x.detach().requires_grad_()
            y = torch.nn.functional.dropout(torch.sin(x), ctx.p)
        return torch.autograd.grad(y, x, grad)[0], None


torch.manual_seed(32)
x = torch.randn(20, requires_grad=True)
y = RandomCheckpoint.apply(x, 0.5)
y.sum().backward()
print(torch.equal(x.grad == 0, y == 0))
