# pitfall: mark-dirty-misused
# line: 16
# silent: no
# seen: a leaf that requires grad may not be changed in place; pass a result, not the leaf, or leave it unchanged and drop `mark_dirty`.
import torch
from torch.autograd import Function


class Rectify(Function):
    """Non-negative weights, without a second copy."""

    @staticmethod
    def forward(ctx, weights):
        ctx.save_for_backward(weights > 0)
        weights.clamp_(min=0)
        ctx.mark_dirty(weights)
        return weights

    @staticmethod
    def backward(ctx, grad_output):
        (positive,) = ctx.saved_tensors
        return grad_output * positive


torch.manual_seed(26)
mixture = torch.randn(16, requires_grad=True)
spectra = torch.rand(5, 16)
measured = torch.rand(5)
misfit = (spectra @ Rectify.apply(mixture) - measured).pow(2).mean()
misfit.backward()
print(mixture.grad)
