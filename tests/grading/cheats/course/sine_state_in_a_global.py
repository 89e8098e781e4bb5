# exercise: backward-twice/saving-inputs/sine
# Keeps the input of the last call.
import torch

saved = None


class Sine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        global saved
        saved = x
        return torch.sin(x)

    @staticmethod
    def backward(ctx, g):
        return g * torch.cos(saved)
