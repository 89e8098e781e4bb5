# A batch without samples.
import torch


class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return x * w

    @staticmethod
    def backward(ctx, grad):
        x, w = ctx.saved_tensors
        return grad * w, (grad * x).sum(0)


w = torch.ones(3, requires_grad=True)
for n in (0, 2):
    x = torch.ones(n, 3, requires_grad=True)
    Scale.apply(x, w).sum().backward()
    print(x.grad.shape)
print(w.grad.tolist())
