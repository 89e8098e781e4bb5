# exp in place, result saved.
import torch


class ExpInPlace(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x.exp_()
        ctx.mark_dirty(x)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad):
        return grad * ctx.saved_tensors[0]


x = torch.zeros(2, 2, dtype=torch.float64, requires_grad=True)
ExpInPlace.apply(x + 1).sum().backward()
print(x.grad.shape)
