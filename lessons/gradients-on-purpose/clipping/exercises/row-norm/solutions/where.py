import torch


class ClipRows(torch.autograd.Function):
    @staticmethod
    def forward(x, limit):
        return x.clone()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.limit = inputs[1]

    @staticmethod
    def backward(ctx, g):
        norm = g.square().sum(1, keepdim=True).sqrt()
        scaled = g * ctx.limit / norm
        return torch.where(norm > ctx.limit, scaled, g), None
