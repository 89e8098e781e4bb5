import torch


class SinhBad(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        exp_x = torch.exp(x)
        exp_negx = torch.exp(-x)
        ctx.save_for_backward(exp_x, exp_negx)
        return (exp_x - exp_negx) / 2

    @staticmethod
    def backward(ctx, grad_out):
        exp_x, exp_negx = ctx.saved_tensors
        return grad_out * (exp_x + exp_negx) / 2


x = torch.rand(3, 3, requires_grad=True, dtype=torch.double)
assert torch.autograd.gradcheck(SinhBad.apply, x)
assert torch.autograd.gradgradcheck(SinhBad.apply, x)
