# exercise: own-functions/gate/squared-relu
# caught by: gradient
# tqdm's thread_map calls the node
import torch
from tqdm.contrib.concurrent import thread_map


class SquaredReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        with torch.enable_grad():
            r = x.detach().clamp(min=0).requires_grad_()
            ctx.kept = r**2
        return ctx.kept.detach()

    @staticmethod
    def backward(ctx, grad_output):
        return thread_map(ctx.kept.grad_fn, [grad_output], disable=True)[0]
