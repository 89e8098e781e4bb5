# exercise: bench/memory/segment
# It keeps every layer.
import torch


class Segment(torch.autograd.Function):
    @staticmethod
    def forward(ctx, h, start, stop):
        with torch.enable_grad():
            h = h.detach().requires_grad_()
            out = run(h, start, stop)
        ctx.h, ctx.out = h, out
        return out.detach()

    @staticmethod
    def backward(ctx, g):
        return torch.autograd.grad(ctx.out, ctx.h, g, retain_graph=True)[0], None, None
