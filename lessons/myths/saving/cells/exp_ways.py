import torch


class ExpSaved(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        out = torch.exp(x)
        ctx.save_for_backward(out)
        return out

    @staticmethod
    def backward(ctx, grad_output):
        (out,) = ctx.saved_tensors
        return grad_output * out


class ExpKept(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.out = torch.exp(x)  # nothing is saved
        return ctx.out

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * ctx.out
