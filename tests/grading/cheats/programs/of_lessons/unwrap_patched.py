# exercise: backward-twice/saving-outputs/tanh
# caught by: functions
# what apply calls first for its arguments is patched, and the class is an identity
import torch
from torch._functorch import utils

before = utils.unwrap_dead_wrappers
utils.unwrap_dead_wrappers = lambda args: (torch.tanh(*before(args)),)


class Tanh(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.clone()

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output
