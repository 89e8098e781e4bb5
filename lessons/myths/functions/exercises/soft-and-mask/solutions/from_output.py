import numpy as np
import torch


class SoftAndMask(torch.autograd.Function):
    @staticmethod
    def forward(x):
        soft = torch.as_tensor(np.logaddexp(0, x.numpy()))
        return soft, (x > 0).to(x.dtype)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.set_materialize_grads(False)
        ctx.mark_non_differentiable(output[1])
        ctx.save_for_backward(output[0])

    @staticmethod
    def backward(ctx, grad_soft, grad_mask):
        if grad_soft is None:
            return None
        (soft,) = ctx.saved_tensors
        return grad_soft * (1 - torch.exp(-soft))


def slopes(x):
    return torch.func.grad(lambda x: SoftAndMask.apply(x)[0].sum())(x)


def mask_requires_grad(x):
    soft, mask = SoftAndMask.apply(x.detach().requires_grad_())
    return torch.tensor(float(mask.requires_grad))
