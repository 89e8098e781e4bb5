import torch


class Wave(torch.autograd.Function):
    @staticmethod
    def forward(x, rate=2.0):
        return torch.sin(x * rate)

    @staticmethod
    def setup_context(context, arguments, result):
        x, rate = arguments
        context.save_for_backward(x * rate)
        context.rate = rate

    @staticmethod
    def backward(context, incoming):
        (phase,) = context.saved_tensors
        return incoming * torch.cos(phase) * context.rate, None


def plain(x, rate):
    return Wave.forward(x, rate)
