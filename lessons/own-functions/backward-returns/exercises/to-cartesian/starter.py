import torch


class ToCartesian(torch.autograd.Function):
    @staticmethod
    def forward(ctx, r, angle, unit):
        return r * torch.cos(unit * angle), r * torch.sin(unit * angle)

    @staticmethod
    def backward(ctx, grad_x): ...
