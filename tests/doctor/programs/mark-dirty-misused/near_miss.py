# near miss of: mark-dirty-misused
# silent: yes
# seen: nothing: what is marked dirty was changed in place, is returned, and is no leaf.
import torch
from torch.autograd import Function


class Rectify(Function):
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
mixture = torch.randn(16, dtype=torch.float64, requires_grad=True)
spectra = torch.rand(5, 16, dtype=torch.float64)
measured = torch.rand(5, dtype=torch.float64)
misfit = (spectra @ Rectify.apply(mixture.clone()) - measured).pow(2).mean()
misfit.backward()
print(tuple(mixture.grad.shape))
