import torch
from torch.autograd import Function


class Gain(Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return (w * x).tanh()

    @staticmethod
    def backward(ctx, grad_output):
        x, w = ctx.saved_tensors
        slope = (1 - torch.tanh(w * x).square()) * grad_output
        grad_w = torch.stack([(slope[:, i] * x[:, i]).sum() for i in range(len(w))])
        return slope * w, grad_w
