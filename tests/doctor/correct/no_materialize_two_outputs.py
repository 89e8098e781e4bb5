# Undefined gradients arrive as None and are asked for.
import torch


class SumDiff(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.set_materialize_grads(False)
        return a + b, a - b

    @staticmethod
    def backward(ctx, gs, gd):
        if gs is None and gd is None:
            return None, None
        if gs is None:
            return gd, -gd
        if gd is None:
            return gs, gs.clone()
        return gs + gd, gs - gd


a, b = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
_, d = SumDiff.apply(a, b)
d.sum().backward()
print(b.grad.tolist())
