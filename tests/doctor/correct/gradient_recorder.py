# An identity that records the norm of what passes.
import torch

norms = []


class Record(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, label):
        ctx.label = label
        return x.clone()

    @staticmethod
    def backward(ctx, grad):
        norms.append((ctx.label, float(grad.detach().norm())))
        return grad, None


x = torch.ones(4, requires_grad=True)
y = Record.apply(x * 2, "before")
Record.apply(y.sin(), "after").sum().backward()
print([label for label, _ in norms])
