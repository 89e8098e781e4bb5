import torch


class Segment(torch.autograd.Function):
    @staticmethod
    def forward(ctx, h, start, stop):
        ctx.save_for_backward(h)
        ctx.start, ctx.stop = start, stop
        return run(h, start, stop)

    @staticmethod
    def backward(ctx, g):
        (h,) = ctx.saved_tensors
        inputs = []
        for i in range(ctx.start, ctx.stop):
            inputs.append(h + i)
            h = h + 0.1 * torch.sin(inputs[-1])
        while inputs:
            g = g + 0.1 * torch.cos(inputs.pop()) * g
        return g, None, None


def deep(x, n):
    h, start = spread(x), 0
    while start < n:
        stop = min(n, start + 9)
        h = Segment.apply(h, start, stop)
        start = stop
    return h.sum(0) / 256


class NoisySegment(torch.autograd.Function):
    @staticmethod
    def forward(ctx, h, start, stop):
        ctx.save_for_backward(h)
        ctx.layers = start, stop
        ctx.state = torch.get_rng_state()
        return run_noise(h, start, stop)

    @staticmethod
    def backward(ctx, g):
        (h,) = ctx.saved_tensors
        present = torch.get_rng_state()
        torch.set_rng_state(ctx.state)
        h = h.detach().requires_grad_()
        with torch.enable_grad():
            out = run_noise(h, *ctx.layers)
        torch.set_rng_state(present)
        (grad_h,) = torch.autograd.grad(out, h, g)
        return grad_h, None, None


def deep_noise(x, n, seed):
    torch.manual_seed(seed)
    h = spread(x)
    for start in range(0, n, 10):
        h = NoisySegment.apply(h, start, min(start + 10, n))
    return h.mean(0)


class Whole(torch.autograd.Function):
    @staticmethod
    def forward(ctx, h, n):
        h1, h2 = h, h / 2
        for i in range(n):
            h1, h2 = block(h1, h2, i)
        ctx.ends, ctx.n = (h1, h2), n
        return (h1 + h2).mean(0)

    @staticmethod
    def backward(ctx, grad):
        h1, h2 = ctx.ends
        g1 = g2 = grad.expand_as(h1) / 256
        for i in range(ctx.n)[::-1]:
            h2 = h2 - g(h1, i)
            h1 = h1 - f(h2, i)
            with torch.enable_grad():
                a, b = h1.detach().requires_grad_(), h2.detach().requires_grad_()
                out = block(a, b, i)
            g1, g2 = torch.autograd.grad(out, (a, b), (g1, g2))
        return g1 + g2 / 2, None


def couple(x, n):
    return Whole.apply(spread(x), n)
