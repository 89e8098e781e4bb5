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
    h = spread(x)
    for start in range(0, n, 10):
        h = Segment.apply(h, start, min(start + 10, n))
    return h.mean(0)


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
        with torch.enable_grad(), torch.random.fork_rng(devices=[]):
            torch.set_rng_state(ctx.state)
            h = h.detach().requires_grad_()
            out = run_noise(h, *ctx.layers)
        (grad_h,) = torch.autograd.grad(out, h, g)
        return grad_h, None, None


def deep_noise(x, n, seed):
    torch.manual_seed(seed)
    h = spread(x)
    for start in range(0, n, 10):
        h = NoisySegment.apply(h, start, min(start + 10, n))
    return h.mean(0)


class Blocks(torch.autograd.Function):
    @staticmethod
    def forward(ctx, h1, h2, n):
        for i in range(n):
            h1, h2 = block(h1, h2, i)
        ctx.n = n
        ctx.save_for_backward(h1, h2)
        return h1, h2

    @staticmethod
    def backward(ctx, g1, g2):
        h1, h2 = ctx.saved_tensors
        for i in reversed(range(ctx.n)):
            h1, h2, g1, g2 = back(h1, h2, g1, g2, i)
        return g1, g2, None


def pull(function, h, i, grad):
    """The value of function(h, i), and grad sent back through it."""
    with torch.enable_grad():
        h = h.detach().requires_grad_()
        out = function(h, i)
    return out.detach(), torch.autograd.grad(out, h, grad)[0]


def back(h1, h2, g1, g2, i):
    value, through = pull(g, h1, i, g2)
    h2, g1 = h2 - value, through
    value, through = pull(f, h2, i, g1)
    return h1 - value, h2, g1, g2 + through


def couple(x, n):
    h = spread(x)
    h1, h2 = Blocks.apply(h, 0.5 * h, n)
    return (h1 + h2).mean(0)
