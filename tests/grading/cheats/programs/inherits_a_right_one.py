# exercise: square
# without: functions
# A class of its own that has nothing of its own.
import torch


class Base(torch.autograd.Function):
    apply = staticmethod(lambda x: x * x)

    @staticmethod
    def forward(ctx, x):
        return x

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output


class Square(Base):
    pass
