import torch


class Segment(torch.autograd.Function):
    @staticmethod
    def forward(ctx, h, start, stop):
        hs = []
        for i in range(start, stop):
            hs.append(h)
            h = run(h, i, i + 1)
        ctx.save_for_backward(*hs)
        ctx.start = start
        return h

    @staticmethod
    def backward(ctx, g):
        for k, h in reversed(list(enumerate(ctx.saved_tensors))):
            g = g + g * 0.1 * torch.cos(h + ctx.start + k)
        return g, None, None
