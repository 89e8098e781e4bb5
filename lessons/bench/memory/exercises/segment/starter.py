import torch


class Segment(torch.autograd.Function):
    @staticmethod
    def forward(ctx, h, start, stop):
        return run(h, start, stop)

    @staticmethod
    def backward(ctx, g):
        return g, None, None
