import torch


class LogSumExp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.exp().sum(-1).log()

    @staticmethod
    def backward(ctx, grad_output):
        raise NotImplementedError
