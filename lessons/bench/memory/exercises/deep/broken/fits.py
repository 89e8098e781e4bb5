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
    h = run(h, 0, n)
    return h.mean(0)
