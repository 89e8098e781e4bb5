# near miss of: returned-input-mutated
# silent: yes
# seen: nothing: forward returns a copy, which the caller may change in place.
import torch
from torch.autograd import Function


class Through(Function):
    @staticmethod
    def forward(ctx, x):
        return x.clone()

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output


torch.manual_seed(28)
encoder = torch.nn.Linear(7, 5)
head = torch.nn.Linear(5, 2)
features = encoder(torch.randn(12, 7))
copied = Through.apply(features)
copied += 0.01 * torch.randn(12, 5)
domain = torch.tensor([0] * 6 + [1] * 6)
loss = torch.nn.functional.cross_entropy(head(copied), domain)
loss.backward()
print(tuple(encoder.weight.grad.shape))
