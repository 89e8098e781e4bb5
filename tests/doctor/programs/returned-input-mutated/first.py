# pitfall: returned-input-mutated
# line: 13
# silent: no
# seen: forward returns its input itself, so the output is a view that may not be changed in place; return `x.clone()`, or do not use `+=` on it.
import torch
from torch.autograd import Function


class ReverseGradient(Function):
    @staticmethod
    def forward(ctx, x, strength):
        ctx.strength = strength
        return x

    @staticmethod
    def backward(ctx, grad_output):
        return -ctx.strength * grad_output, None


torch.manual_seed(28)
encoder = torch.nn.Linear(7, 5)
head = torch.nn.Linear(5, 2)
day, night = torch.randn(6, 7), torch.randn(6, 7)

features = encoder(torch.cat([day, night]))
reversed_features = ReverseGradient.apply(features, 0.3)
reversed_features += 0.01 * torch.randn(12, 5)
domain = torch.tensor([0] * 6 + [1] * 6)
loss = torch.nn.functional.cross_entropy(head(reversed_features), domain)
loss.backward()
print(encoder.weight.grad)
