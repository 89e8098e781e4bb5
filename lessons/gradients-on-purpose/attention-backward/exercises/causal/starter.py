import math

import torch


class CausalAttention(torch.autograd.Function):
    @staticmethod
    def forward(ctx, q, k, v): ...

    @staticmethod
    def backward(ctx, g): ...
