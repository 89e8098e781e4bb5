# pitfall: kink
# line: 32
# silent: no
# seen: two entries tie for the maximum, where it has no derivative; check with distinct values.
import torch


class RowMax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, scores):
        values, indices = scores.max(dim=1)
        ctx.save_for_backward(indices)
        ctx.size = scores.shape
        return values

    @staticmethod
    def backward(ctx, grad_values):
        (indices,) = ctx.saved_tensors
        grad = grad_values.new_zeros(ctx.size)
        return grad.scatter(1, indices.unsqueeze(1), grad_values.unsqueeze(1))


def hinge_with_best(scores, chosen):
    best = RowMax.apply(scores)
    return (1 + best - scores[torch.arange(len(chosen)), chosen]).mean()


ratings = torch.tensor([[4.0, 3, 4, 1], [2, 5, 0, 3], [1, 1, 0, 0]], dtype=torch.float64, requires_grad=True)
chosen = torch.tensor([1, 1, 2])
hinge_with_best(ratings, chosen).backward()
print("gradient:", tuple(ratings.grad.shape))
torch.autograd.gradcheck(RowMax.apply, (ratings,))
print("checked")
