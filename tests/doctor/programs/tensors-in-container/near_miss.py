# near miss of: tensors-in-container
# silent: yes
# seen: nothing: the list in the arguments holds numbers, and the tensors are arguments of their own.
import torch
from torch.autograd import Function


class WeightedSum(Function):
    @staticmethod
    def forward(ctx, weights, *terms):
        ctx.weights = weights
        total = torch.zeros_like(terms[0])
        for weight, term in zip(weights, terms):
            total = total + weight * term
        return total

    @staticmethod
    def backward(ctx, grad_total):
        return None, *[weight * grad_total for weight in ctx.weights]


torch.manual_seed(7)
experts = [torch.randn(4, dtype=torch.float64, requires_grad=True) for _ in range(3)]
mixture = WeightedSum.apply([0.5, 0.3, 0.2], *experts)
loss = (mixture - torch.ones(4, dtype=torch.float64)).pow(2).sum()
loss.backward()
print("experts:", [e.grad is not None for e in experts])
