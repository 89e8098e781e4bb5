import torch

calls = []


def block(x, w):
    calls.append(1)
    for _ in range(4):
        x = torch.tanh(x @ w)
    return x


class Recompute(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return block(x, w)

    @staticmethod
    def backward(ctx, grad_output):
        x, w = (t.detach().requires_grad_(t.requires_grad) for t in ctx.saved_tensors)
        with torch.enable_grad():
            out = block(x, w)
        return torch.autograd.grad(out, (x, w), grad_output)


def count(x, w):
    calls.clear()
    out = Recompute.apply(x, w)
    before = len(calls)
    torch.autograd.grad(out.sum(), (x, w))
    return torch.tensor([before, len(calls)])
