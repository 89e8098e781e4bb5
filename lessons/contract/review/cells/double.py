import torch


class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)
        return x.mul_(2)

    @staticmethod
    def backward(ctx, grad_output):
        return 2 * grad_output


w = torch.ones(3, requires_grad=True)
h = w + 1
Double.apply(h).sum().backward()
print("w.grad:", w.grad)
Double.apply(w)
