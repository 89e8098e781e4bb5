# exercise: exp
# without: bans
# By a star.
import torch
from torch import *


class Exp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        out = exp(x)
        ctx.save_for_backward(out)
        return out

    @staticmethod
    def backward(ctx, grad_output):
        (out,) = ctx.saved_tensors
        return out * grad_output
