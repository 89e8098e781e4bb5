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
        h = h.detach().requires_grad_()
        with torch.enable_grad():
            out = run(h, ctx.start, ctx.stop)
        return torch.autograd.grad(out, h, g)[0], None, None


def deep(x, n):
    h = spread(x)
    for start in range(0, n, 10):
        h = Segment.apply(h, start, min(start + 10, n))
    return h.mean(0)


class NoisySegment(torch.autograd.Function):
    @staticmethod
    def forward(ctx, h, start, stop):
        ctx.save_for_backward(h)
        ctx.start, ctx.stop = start, stop
        ctx.state = torch.get_rng_state()
        return run_noise(h, start, stop)

    @staticmethod
    def backward(ctx, g):
        (h,) = ctx.saved_tensors
        h = h.detach().requires_grad_()
        with torch.enable_grad(), torch.random.fork_rng(devices=[]):
            torch.set_rng_state(ctx.state)
            out = run_noise(h, ctx.start, ctx.stop)
        return torch.autograd.grad(out, h, g)[0], None, None


def deep_noise(x, n, seed):
    torch.manual_seed(seed)
    h = spread(x)
    for start in range(0, n, 10):
        h = NoisySegment.apply(h, start, min(start + 10, n))
    return h.mean(0)


class Couple(torch.autograd.Function):
    @staticmethod
    def forward(ctx, h1, h2, n):
        for i in range(n):
            h1, h2 = block(h1, h2, i)
        ctx.save_for_backward(h1, h2)
        ctx.n = n
        return h1, h2

    @staticmethod
    def backward(ctx, g1, g2):
        h1, h2 = ctx.saved_tensors
        for i in reversed(range(ctx.n)):
            if True:
                a = h1.detach().requires_grad_()
                out = g(a, i)
            g1 = g1 + torch.autograd.grad(out, a, g2)[0]
            h2 = h2 - out.detach()
            with torch.enable_grad():
                a = h2.detach().requires_grad_()
                out = f(a, i)
            g2 = g2 + torch.autograd.grad(out, a, g1)[0]
            h1 = h1 - out.detach()
        return g1, g2, None


def couple(x, n):
    h = spread(x)
    h1, h2 = Couple.apply(h, 0.5 * h, n)
    return (h1 + h2).mean(0)
