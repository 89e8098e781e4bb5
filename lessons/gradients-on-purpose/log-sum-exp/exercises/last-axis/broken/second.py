import torch


class LogSumExp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        m = x.amax(-1, keepdim=True)
        total = (x - m).exp().sum(-1, keepdim=True)
        y = (m + total.log()).squeeze(-1)
        ctx.save_for_backward(x, y)
        return y

    @staticmethod
    def backward(ctx, grad_output):
        x, y = ctx.saved_tensors
        softmax = (x - y.unsqueeze(-1)).detach().exp()
        return grad_output.unsqueeze(-1) * softmax
