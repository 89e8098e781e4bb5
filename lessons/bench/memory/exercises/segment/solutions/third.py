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
