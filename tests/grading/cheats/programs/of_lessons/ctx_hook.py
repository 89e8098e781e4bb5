# exercise: backward-twice/saving-outputs/tanh
# caught by: gradient
# the node's own hook replaces what backward returned, by a second node called in it
import torch


class Tanh(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        with torch.enable_grad():
            y = torch.tanh(x)
        ctx.register_hook(lambda given, came: (y.grad_fn(came[0]),))
        return y.detach()

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output
