import torch
from torch import nn


class ClampThrough(torch.autograd.Function):
    @staticmethod
    def forward(x, low, high):
        return torch.minimum(torch.maximum(x, torch.full_like(x, low)), torch.full_like(x, high))

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.count = len(inputs)

    @staticmethod
    def backward(ctx, g):
        return (g,) + (None,) * (ctx.count - 1)


def clamp_through(x, low=-1.0, high=1.0):
    return ClampThrough.apply(x, low, high)


class Gain(nn.Module):
    def __init__(self):
        super().__init__()
        for name, start in (("gain", 5.0), ("offset", 0.0)):
            number = torch.tensor(start, dtype=torch.double)
            self.register_parameter(name, nn.Parameter(number))

    def forward(self, x):
        return clamp_through(x * self.gain + self.offset)


def train(steps):
    """A new layer after so many steps."""
    x = torch.tensor([-2, -1.5, -1, 1, 1.5, 2], dtype=torch.double)
    layer = Gain()
    optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
    for _ in range(steps):
        loss = (layer(x) - 0.4 * x).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return layer


def gain_after(steps):
    return train(steps).gain.detach().clone()


layer = train(100)
print(f"gain: {layer.gain.item():.4f}")
