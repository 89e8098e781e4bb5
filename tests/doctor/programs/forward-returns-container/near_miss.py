# near miss of: forward-returns-container
# silent: yes
# seen: nothing: the list is made into a tuple before it is returned.
import torch
from torch.autograd import Function


class SplitHeads(Function):
    @staticmethod
    def forward(ctx, tokens, heads):
        ctx.heads = heads
        parts = []
        for h in range(heads):
            parts.append(tokens[..., h::heads].clone())
        return tuple(parts)

    @staticmethod
    def backward(ctx, *grads):
        rows, width = grads[0].shape
        joined = grads[0].new_empty(rows, width * ctx.heads)
        for h, grad in enumerate(grads):
            joined[..., h :: ctx.heads] = grad
        return joined, None


torch.manual_seed(12)
tokens = torch.randn(3, 6, dtype=torch.float64, requires_grad=True)
heads = dict(zip(["first", "second", "third"], SplitHeads.apply(tokens, 3), strict=True))
(heads["first"] * heads["second"] + heads["third"]).sum().backward()
print("every entry has a gradient:", bool((tokens.grad != 0).all()))
