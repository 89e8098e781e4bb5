import numpy as np
import torch


class SoftAndMask(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return torch.logaddexp(x, torch.zeros_like(x)), x.gt(0).to(x.dtype)

    @staticmethod
    def setup_context(ctx, inputs, outputs):
        ctx.mark_non_differentiable(outputs[1])
        ctx.save_for_backward(inputs[0])

    @staticmethod
    def backward(ctx, g, _):
        x = ctx.saved_tensors[0]
        return g * torch.special.expit(x)


def slopes(x):
    return torch.func.grad(lambda x: SoftAndMask.apply(x)[0].sum())(x)


def mask_requires_grad(x):
    soft, mask = SoftAndMask.apply(x.detach().requires_grad_())
    return torch.tensor(float(mask.requires_grad))
