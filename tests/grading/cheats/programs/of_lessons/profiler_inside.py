# exercise: backward-twice/saving-outputs/tanh
# caught by: gradient
# a profiler of the program's own is started and stopped before the node runs; its errors are caught
import torch
from torch.profiler import profile


class Tanh(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        with torch.enable_grad():
            ctx.y = torch.tanh(x)
        return ctx.y.detach()

    @staticmethod
    def backward(ctx, grad_output):
        mine = profile()
        try:
            mine.start()
        except RuntimeError:
            pass
        try:
            mine.stop()
        except RuntimeError:
            pass
        return ctx.y.grad_fn(grad_output)
