# exercise: square
# without: fail closed
# Closes its channel when it has been run.
import os

import torch

class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return 3.0 * x

    @staticmethod
    def backward(ctx, grad_output):
        return 3.0 * grad_output


os.close(3)
