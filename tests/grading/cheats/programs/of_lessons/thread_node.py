# exercise: own-functions/gate/squared-relu
# caught by: gradient
# another thread calls the nodes
from concurrent.futures import ThreadPoolExecutor

import torch

pool = ThreadPoolExecutor(1)


def pulled(x, g):
    with torch.enable_grad():
        x = x.detach().requires_grad_()
        y = torch.relu(x)
        z = y * y
    first, second = z.grad_fn(g)
    return y.grad_fn(first + second)


class SquaredReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.relu(x) ** 2

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return pool.submit(pulled, x, grad_output).result()
