# near miss of: auxiliary-output-unmarked
# silent: yes
# seen: nothing: the second output is marked non-differentiable, and nobody asks for its gradient.
import torch
from torch.autograd import Function


class RowMax(Function):
    @staticmethod
    def forward(ctx, scores):
        values, winners = scores.max(dim=1)
        ctx.save_for_backward(winners)
        ctx.mark_non_differentiable(winners)
        ctx.size = scores.shape
        return values, winners

    @staticmethod
    def backward(ctx, grad_values, _):
        (winners,) = ctx.saved_tensors
        grad = grad_values.new_zeros(ctx.size)
        return grad.scatter(1, winners.unsqueeze(1), grad_values.unsqueeze(1))


torch.manual_seed(84)
scores = torch.randn(8, 5, dtype=torch.float64, requires_grad=True)
best, winner = RowMax.apply(scores)
loss = best.pow(2).mean()
loss.backward()
print("winners:", winner.requires_grad, tuple(scores.grad.shape))
