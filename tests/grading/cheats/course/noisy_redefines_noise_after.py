# exercise: bench/memory/noisy
# It redefines the function of the lesson that looks at the random state.
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
        with torch.enable_grad():
            torch.set_rng_state(ctx.state)
            out = run_noise(h, ctx.start, ctx.stop)
        return torch.autograd.grad(out, h, g)[0], None, None


def deep_noise(x, n, seed):
    torch.manual_seed(seed)
    h = spread(x)
    for start in range(0, n, 10):
        h = NoisySegment.apply(h, start, min(start + 10, n))
    return h.mean(0)


def noise_after(x, n, seed):
    deep_noise(x, n, seed)
    return torch.rand(4, dtype=torch.double)
