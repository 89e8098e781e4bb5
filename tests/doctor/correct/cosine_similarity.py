# Row by row, any length.
import torch


class Cosine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return (a * b).sum(-1) / (a.norm(dim=-1) * b.norm(dim=-1))

    @staticmethod
    def backward(ctx, grad):
        a, b = ctx.saved_tensors
        na, nb = a.norm(dim=-1, keepdim=True), b.norm(dim=-1, keepdim=True)
        ua, ub, g = a / na, b / nb, grad.unsqueeze(-1)
        cos = (ua * ub).sum(-1, keepdim=True)
        return g * (ub - cos * ua) / na, g * (ua - cos * ub) / nb


torch.manual_seed(62)
a, b = torch.randn(3, 4, requires_grad=True), torch.randn(3, 4, requires_grad=True)
(1 - Cosine.apply(a, b)).mean().backward()
print(a.grad.shape)
