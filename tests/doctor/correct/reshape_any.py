# Flattens; reshape takes any strides.
import torch


class Flatten(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.shape = x.shape
        return x.reshape(x.shape[0], -1)

    @staticmethod
    def backward(ctx, grad):
        return grad.reshape(ctx.shape)


torch.manual_seed(48)
x = torch.randn(2, 3, 4, requires_grad=True)
y = Flatten.apply(x.transpose(1, 2))
y.t().contiguous().square().sum().backward()
print(x.grad.shape)
