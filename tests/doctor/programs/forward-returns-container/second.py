# pitfall: forward-returns-container
# line: 16
# silent: yes
# seen: forward returns a list, which autograd does not look into, so the halves have no grad_fn; return `tuple(...)`.
import torch
from torch import nn


class SplitHeads(torch.autograd.Function):
    @staticmethod
    def forward(ctx, tokens, heads):
        ctx.heads = heads
        parts = []
        for h in range(heads):
            parts.append(tokens[..., h::heads].clone())
        return parts

    @staticmethod
    def backward(ctx, *grads):
        batch, length, width = grads[0].shape
        joined = grads[0].new_empty(batch, length, width * ctx.heads)
        for h, grad in enumerate(grads):
            joined[..., h :: ctx.heads] = grad
        return joined, None


class TwoHeads(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.project = nn.Linear(width, width)
        self.mix = nn.Linear(width // 2, width)

    def forward(self, tokens):
        left, right = SplitHeads.apply(self.project(tokens), 2)
        return self.mix(left * right)


torch.manual_seed(12)
layer = TwoHeads(8)
sentence = torch.randn(2, 5, 8)
layer(sentence).pow(2).mean().backward()
print({name: p.grad is not None for name, p in layer.named_parameters()})
