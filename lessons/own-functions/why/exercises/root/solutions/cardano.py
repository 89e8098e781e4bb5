import numpy as np
import torch
from torch.autograd import Function


class Root(Function):
    @staticmethod
    def forward(ctx, x):
        half = x.detach().numpy() / 2
        size = np.sqrt(half**2 + 1 / 27)
        y = torch.as_tensor(np.cbrt(half + size) + np.cbrt(half - size))
        ctx.slope = 1 / (1 + 3 * y * y)
        return y

    @staticmethod
    def backward(ctx, g):
        return g * ctx.slope
