# Adds a scaled tensor in place.
import torch


class AddInPlace(torch.autograd.Function):
    @staticmethod
    def forward(ctx, total, x, alpha):
        ctx.alpha = alpha
        ctx.mark_dirty(total)
        return total.add_(x, alpha=alpha)

    @staticmethod
    def backward(ctx, grad):
        return grad, grad * ctx.alpha, None


a, b = torch.ones(3, requires_grad=True), torch.ones(3, requires_grad=True)
total = a * 2
AddInPlace.apply(total, b, 0.5)
total.square().sum().backward()
print(a.grad.tolist(), b.grad.tolist())
