import torch


class Segment(torch.autograd.Function):
    @staticmethod
    def forward(ctx, h, start, stop):
        ctx.save_for_backward(h)
        ctx.layers = start, stop
        return run(h, start, stop)

    @staticmethod
    def backward(ctx, g):
        (h,) = ctx.saved_tensors
        with torch.enable_grad():
            h = h.detach().requires_grad_()
            out = run(h, *ctx.layers)
        (grad_h,) = torch.autograd.grad(out, h, g)
        return grad_h, None, None


def deep(x, n):
    from torch.utils.checkpoint import checkpoint

    size = round(n**0.5)
    h = spread(x)
    for start in range(0, n, size):
        h = checkpoint(run, h, start, min(start + size, n), use_reentrant=False)
    return h.mean(0)


def deep_noise(x, n, seed):
    from torch.utils.checkpoint import checkpoint

    torch.manual_seed(seed)
    h = spread(x)
    for start in range(0, n, 9):
        h = checkpoint(run_noise, h, start, min(start + 9, n), use_reentrant=False)
    return h.mean(0)


class Back(torch.autograd.Function):
    @staticmethod
    def forward(ctx, h1, h2, n):
        ctx.n = n
        for i in range(n):
            h1 = h1 + f(h2, i)
            h2 = h2 + g(h1, i)
        ctx.save_for_backward(h1, h2)
        return h1, h2

    @staticmethod
    def backward(ctx, g1, g2):
        h1, h2 = ctx.saved_tensors
        for i in range(ctx.n - 1, -1, -1):
            h2 = h2 - g(h1, i)
            g1 = g1 - 0.1 * torch.sin(h1 - i) * g2
            h1 = h1 - f(h2, i)
            g2 = g2 + 0.1 * torch.cos(h2 + i) * g1
        return g1, g2, None


def couple(x, n):
    h = spread(x)
    return sum(Back.apply(h, h * 0.5, n)).mean(0)
