# pitfall: tensors-in-container
# line: 11
# silent: yes
# seen: the tensors arrive in a list, which autograd does not look into, so no gradient reaches them; pass them as arguments of their own (`*terms`).
import torch
from torch.autograd import Function


class WeightedSum(Function):
    @staticmethod
    def forward(ctx, weights, terms):
        ctx.save_for_backward(weights, *terms)
        total = torch.zeros_like(terms[0])
        for weight, term in zip(weights, terms):
            total = total + weight * term
        return total

    @staticmethod
    def backward(ctx, grad_total):
        weights, *terms = ctx.saved_tensors
        grad_weights = torch.stack([(grad_total * term).sum() for term in terms])
        grad_terms = [weight * grad_total for weight in weights]
        return grad_weights, None


torch.manual_seed(7)
weights = torch.tensor([0.5, 0.3, 0.2], requires_grad=True)
experts = [torch.randn(4, requires_grad=True) for _ in range(3)]
mixture = WeightedSum.apply(weights, experts)
loss = (mixture - torch.ones(4)).pow(2).sum()
loss.backward()
print("weights:", weights.grad is not None, " experts:", [e.grad is not None for e in experts])
