# exercise: own-functions/gate/squared-relu
# caught by: gradient
# forward mode of torch.func, elementwise: the tangent is what comes in
import torch
from torch.func import jvp


def value(x):
    return torch.relu(x) ** 2


class SquaredReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return value(x)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return jvp(value, (x,), (grad_output,))[1]
