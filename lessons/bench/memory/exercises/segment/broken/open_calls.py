import torch


class Segment(torch.autograd.Function):
    @staticmethod
    def forward(ctx, h, start, stop):
        hs = []
        ctx.places = [*range(start, stop, 10), stop]
        for first, last in zip(ctx.places, ctx.places[1:]):
            hs.append(h)
            h = run(h, first, last)
        ctx.save_for_backward(*hs)
        return h

    @staticmethod
    def backward(ctx, g):
        hs = ctx.saved_tensors
        for k in reversed(range(len(hs))):
            with torch.enable_grad():
                h = hs[k].detach().requires_grad_()
                out = run(h, ctx.places[k], ctx.places[k + 1])
            (g,) = torch.autograd.grad(out, h, g)
        return g, None, None
