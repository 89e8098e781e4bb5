import torch
from torch import nn


class ClampThrough(torch.autograd.Function):
    @staticmethod
    def forward(x, low, high):
        return x.clamp(low, high)

    @staticmethod
    def setup_context(ctx, inputs, output):
        pass

    @staticmethod
    def backward(ctx, g):
        return g, None, None


def clamp_through(x, low=-1.0, high=1.0):
    return ClampThrough.apply(x, low, high)


class Gain(nn.Module):
    def __init__(self):
        super().__init__()
        self.gain = nn.Parameter(torch.tensor(5.0).double())
        self.offset = nn.Parameter(torch.tensor(0.0).double())

    def forward(self, x):
        return clamp_through(self.gain * x + self.offset)


x = torch.tensor([-2, -1.5, -1, 1, 1.5, 2], dtype=torch.double)
layer = Gain()
y = 0.4 * x
layer.load_state_dict({"gain": (x * y).sum() / (x * x).sum(), "offset": torch.tensor(0.0).double()})
