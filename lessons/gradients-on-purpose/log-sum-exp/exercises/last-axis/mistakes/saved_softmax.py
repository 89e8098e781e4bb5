import torch


class LogSumExp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        m = x.amax(-1, keepdim=True)
        total = (x - m).exp().sum(-1, keepdim=True)
        ctx.save_for_backward((x - m).exp() / total)
        y = (m + total.log()).squeeze(-1)
        return y

    @staticmethod
    def backward(ctx, grad_output):
        (softmax,) = ctx.saved_tensors
        return grad_output.unsqueeze(-1) * softmax
