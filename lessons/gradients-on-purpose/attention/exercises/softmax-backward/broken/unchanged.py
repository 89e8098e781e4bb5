import torch


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, s):
        p = torch.softmax(s, 1)
        ctx.save_for_backward(p)
        return p

    @staticmethod
    def backward(ctx, grad_output):
        (p,) = ctx.saved_tensors
        total = (p * grad_output).sum(1, keepdim=True)
        return grad_output.sub_(total).mul_(p)
