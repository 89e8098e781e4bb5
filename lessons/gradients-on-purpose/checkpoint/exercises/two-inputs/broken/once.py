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
        ctx.x, ctx.w = x.detach().requires_grad_(), w.detach().requires_grad_()
        with torch.enable_grad():
            ctx.out = block(ctx.x, ctx.w)
        return ctx.out.detach()

    @staticmethod
    def backward(ctx, grad_output):
        return torch.autograd.grad(ctx.out, (ctx.x, ctx.w), grad_output, retain_graph=True)


def count(x, w):
    calls.clear()
    out = Recompute.apply(x, w)
    before = len(calls)
    torch.autograd.grad(out.sum(), (x, w))
    return torch.tensor([before, len(calls)])
