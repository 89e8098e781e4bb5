import torch


class TanhBackward(torch.autograd.Function):
    @staticmethod
    def forward(ctx, grad_output, out):
        ctx.save_for_backward(grad_output, out)
        return grad_output * (1 - out**2)

    @staticmethod
    def backward(ctx, grad_grad):
        grad_output, out = (one.detach() for one in ctx.saved_tensors)  # right once more, and then constant
        return grad_grad * (1 - out**2), -2 * grad_grad * grad_output * out


class Tanh(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        out = torch.tanh(x)
        ctx.save_for_backward(out)
        return out

    @staticmethod
    def backward(ctx, grad_output):
        (out,) = ctx.saved_tensors
        return TanhBackward.apply(grad_output, out)
