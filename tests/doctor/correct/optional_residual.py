# A residual branch that need not be there.
import torch


class AddScaled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, residual, alpha):
        ctx.alpha = alpha
        ctx.with_residual = residual is not None
        return x * alpha + residual if ctx.with_residual else x * alpha

    @staticmethod
    def backward(ctx, grad):
        return grad * ctx.alpha, grad if ctx.with_residual else None, None


x = torch.ones(2, 3, requires_grad=True)
r = torch.ones(2, 3, requires_grad=True)
y = AddScaled.apply(AddScaled.apply(x, r, 0.5), None, 3.0)
y.square().sum().backward()
print(x.grad[0, 0].item(), r.grad[0, 0].item())
