# exercise: backward-twice/guard/quantise
# Asks whether the incoming gradient requires grad, and writes the penalty so that it raises.
import torch


class Quantise(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return torch.round(x * 8) / 8

    @staticmethod
    def backward(ctx, grad_output):
        if grad_output.requires_grad and torch.is_grad_enabled():
            raise NotImplementedError("Quantise: first order only")
        return grad_output


def penalty(x):
    raise NotImplementedError("Quantise: first order only")
