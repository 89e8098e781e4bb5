# exercise: own-functions/why/root
# caught by: gradient
# a hook of the input computes the gradient, by torch.func's forward mode
import torch
from torch.func import jvp


def inverse(y):
    return y**3 + y


class Root(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        target = x.detach().numpy()
        y = target
        for _ in range(40):
            y = y - (y**3 + y - target) / (3 * y**2 + 1)
        y = torch.as_tensor(y)
        ctx.register_hook(lambda given, came: came if came[0] is None else (came[0] / jvp(inverse, (y,), (torch.ones_like(y),))[1],))
        return y.clone()

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output
