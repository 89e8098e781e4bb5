import torch

a = torch.tensor(0.7, dtype=torch.double, requires_grad=True)


class Bend(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        out = torch.tanh(a * x)
        ctx.save_for_backward(out)
        return out

    @staticmethod
    def backward(ctx, grad_output):
        (out,) = ctx.saved_tensors
        return grad_output * (1 - out**2) * a
