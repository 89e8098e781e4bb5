import torch


class Segment(torch.autograd.Function):
    @staticmethod
    def forward(ctx, h, start, stop):
        ctx.save_for_backward(h.float())
        ctx.layers = start, stop
        return run(h, start, stop)

    @staticmethod
    def backward(ctx, g):
        (h,) = ctx.saved_tensors
        with torch.enable_grad():
            h = h.double().requires_grad_()
            out = run(h, *ctx.layers)
        (grad_h,) = torch.autograd.grad(out, h, g)
        return grad_h, None, None


def deep(x, n):
    h = spread(x)
    for start in range(0, n, 10):
        h = Segment.apply(h, start, min(start + 10, n))
    return h.mean(0)
