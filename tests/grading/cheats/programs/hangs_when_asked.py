# exercise: square
# without: fail closed
# Never answers.
import time

import torch


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        while True:
            time.sleep(1)

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output
