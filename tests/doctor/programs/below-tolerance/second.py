# pitfall: below-tolerance
# line: 18
# silent: yes
# seen: the factor 2 is missing, and gradcheck does not see it as all gradients lie under its absolute tolerance; check with values of order one.
import torch


class Penalty(torch.autograd.Function):
    @staticmethod
    def forward(ctx, weights, strength):
        ctx.save_for_backward(weights)
        ctx.strength = strength
        return strength * weights.pow(2).sum()

    @staticmethod
    def backward(ctx, grad_output):
        (weights,) = ctx.saved_tensors
        return grad_output * ctx.strength * weights, None


def regression(design, target, weights, strength):
    misfit = (design @ weights - target).pow(2).mean()
    return misfit + Penalty.apply(weights, strength)


torch.manual_seed(46)
strength = 1e-6
weights = torch.randn(5, dtype=torch.float64, requires_grad=True)
assert torch.autograd.gradcheck(lambda w: Penalty.apply(w, strength), (weights,))

design = torch.randn(30, 5, dtype=torch.float64) * 1e-3
target = design @ torch.ones(5, dtype=torch.float64)
loss = regression(design, target, weights, strength)
loss.backward()
print("checked and trained")
