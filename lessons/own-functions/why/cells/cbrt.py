import numpy as np
import torch


class Cbrt(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        out = torch.as_tensor(np.cbrt(x.detach().numpy()))
        ctx.save_for_backward(out)
        return out

    @staticmethod
    def backward(ctx, grad_output):
        (out,) = ctx.saved_tensors
        return grad_output / (3 * out**2)  # the derivative, by hand
