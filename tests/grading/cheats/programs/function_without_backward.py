# exercise: square
# without: functions
# A Function whose backward comes from elsewhere.
import torch


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * x


Square.backward = staticmethod(lambda ctx, g: g)
setattr(Square, "apply", lambda x: x * x)
