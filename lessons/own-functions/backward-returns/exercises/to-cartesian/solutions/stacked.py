import torch


class ToCartesian(torch.autograd.Function):
    @staticmethod
    def forward(r, angle, unit):
        turn = torch.stack([torch.cos(unit * angle), torch.sin(unit * angle)])
        return r * turn[0], r * turn[1]

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.r, ctx.angle, ctx.unit = inputs

    @staticmethod
    def backward(ctx, *incoming):
        turn = torch.stack([torch.cos(ctx.unit * ctx.angle), torch.sin(ctx.unit * ctx.angle)])
        along = (torch.stack(incoming) * turn).sum(0)
        across = incoming[1] * turn[0] - incoming[0] * turn[1]
        return along, across * ctx.r * ctx.unit, None
