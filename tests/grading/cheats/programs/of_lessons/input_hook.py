# exercise: own-functions/gate/squared-relu
# caught by: gradient
# an identity of the gradient; a hook on the input multiplies by a slope that forward mode gives
import torch
from torch.func import jvp


def value(x):
    return torch.relu(x) ** 2


class SquaredReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        at = x.detach()
        if x.requires_grad:
            hooks.append(x.register_hook(lambda g: jvp(value, (at,), (g,))[1]))
        return value(x)

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output


hooks = []
