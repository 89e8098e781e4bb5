# An enumeration says which side is padded.
import enum

import torch


class Side(enum.Enum):
    LEFT = "left"
    RIGHT = "right"


class PadOne(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, side):
        ctx.side = side
        zero = x.new_zeros(1)
        return torch.cat((zero, x) if side is Side.LEFT else (x, zero))

    @staticmethod
    def backward(ctx, grad):
        return grad[1:] if ctx.side is Side.LEFT else grad[:-1], None


x = torch.ones(3, requires_grad=True)
(PadOne.apply(x, Side.LEFT) * PadOne.apply(x, Side.RIGHT)).sum().backward()
print(x.grad.tolist())
