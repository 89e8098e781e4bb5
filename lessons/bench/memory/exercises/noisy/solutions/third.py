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
