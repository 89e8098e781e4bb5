# exercise: backward-twice/saving-intermediates/softplus
# A plain function beside a class that is right about something else.
import torch


class Softplus(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.clone(), x.clone()

    @staticmethod
    def backward(ctx, a, b):
        return a + b


def softplus(x):
    return torch.nn.functional.softplus(x)
