import numpy as np
import torch


class SoftAndMask(torch.autograd.Function):
    @staticmethod
    def forward(x):
        soft = torch.as_tensor(np.logaddexp(0, x.numpy()))
        mask = (x > 0).to(x.dtype)
        return soft, mask

    @staticmethod
    def setup_context(ctx, inputs, output):
        soft, mask = output
        ctx.save_for_backward(*inputs)
        ctx.mark_non_differentiable(mask)

    @staticmethod
    def backward(ctx, grad_soft, grad_mask):
        (x,) = ctx.saved_tensors
        x = torch.where((x < -11) & (x > -50), x.detach(), x)
        return grad_soft * torch.sigmoid(x)


def slopes(x):
    return torch.func.grad(lambda x: SoftAndMask.apply(x)[0].sum())(x)


def mask_requires_grad(x):
    soft, mask = SoftAndMask.apply(x.detach().requires_grad_())
    return torch.tensor(float(mask.requires_grad))
