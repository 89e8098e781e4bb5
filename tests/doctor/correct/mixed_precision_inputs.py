# A float32 weight and a float64 input: each gradient has its input's type.
import torch


class Mix(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return x @ w.to(x.dtype)

    @staticmethod
    def backward(ctx, grad):
        x, w = ctx.saved_tensors
        return grad @ w.to(x.dtype).t(), (x.t() @ grad).to(w.dtype)


torch.manual_seed(56)
x = torch.randn(3, 2, dtype=torch.float64, requires_grad=True)
w = torch.randn(2, 2, requires_grad=True)
Mix.apply(x, w).sin().sum().backward()
print(x.grad.dtype, w.grad.dtype)
