# A list of branches, of which some are used.
import torch


class Fork(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.set_materialize_grads(False)
        return tuple(x * (i + 1) for i in range(n))

    @staticmethod
    def backward(ctx, *grads):
        total = None
        for i, g in enumerate(grads):
            if g is not None:
                total = (i + 1) * g if total is None else total + (i + 1) * g
        return total, None


x = torch.ones(2, requires_grad=True)
branches = Fork.apply(x, 4)
(branches[1] * branches[3]).sum().backward()
print(x.grad.tolist())
