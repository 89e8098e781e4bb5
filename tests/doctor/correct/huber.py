# A smooth and a linear part.
import torch


class Huber(torch.autograd.Function):
    @staticmethod
    def forward(ctx, error, delta):
        ctx.delta = delta
        ctx.save_for_backward(error)
        size = error.abs()
        return torch.where(size < delta, error**2 / 2, delta * (size - delta / 2))

    @staticmethod
    def backward(ctx, grad):
        (error,) = ctx.saved_tensors
        return grad * error.clamp(-ctx.delta, ctx.delta), None


error = torch.tensor([-3.0, 0.2, 1.7], requires_grad=True)
Huber.apply(error, 1.0).mean().backward()
print(error.grad.shape)
