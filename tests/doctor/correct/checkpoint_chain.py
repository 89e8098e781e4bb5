# Several layers; only the first input is stored.
import torch
from torch.autograd.function import once_differentiable


class Chain(torch.autograd.Function):
    @staticmethod
    def forward(ctx, layers, x, *parameters):
        ctx.layers = layers
        ctx.save_for_backward(x)
        for layer in layers:
            x = layer(x)
        return x

    @staticmethod
    @once_differentiable
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        x = x.detach().requires_grad_()
        with torch.enable_grad():
            y = ctx.layers(x)
        wanted = [x, *ctx.layers.parameters()]
        return (None, *torch.autograd.grad(y, wanted, grad))


torch.manual_seed(33)
layers = torch.nn.Sequential(torch.nn.Linear(3, 5), torch.nn.Tanh(), torch.nn.Linear(5, 2))
x = torch.randn(4, 3, requires_grad=True)
Chain.apply(layers, x, *layers.parameters()).square().sum().backward()
print(x.grad.shape, len([p for p in layers.parameters() if p.grad is not None]))
