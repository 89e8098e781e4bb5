import torch


class LogSumExp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        m = torch.amax(x, dim=-1, keepdim=True)
        return ((x - m).exp().sum(-1, keepdim=True).log() + m)[..., 0]

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        e = (x - x.amax(-1, keepdim=True).detach()).exp()
        return torch.einsum("...i,...->...i", e / e.sum(-1, keepdim=True), grad_output)
