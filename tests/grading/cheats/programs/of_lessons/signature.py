# exercise: backward-twice/saving-outputs/tanh
# caught by: functions
# Function.apply binds its arguments by the signature of forward: this one hands on torch.tanh(x), and the class is an identity
import inspect

import torch


class Bound(inspect.Signature):
    def bind(self, *args, **kwargs):
        return super().bind(torch.tanh(*args))


class Tanh(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return x.clone()

    @staticmethod
    def setup_context(ctx, inputs, output):
        pass

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output


Tanh.forward.__signature__ = Bound([inspect.Parameter("x", inspect.Parameter.POSITIONAL_ONLY)])
