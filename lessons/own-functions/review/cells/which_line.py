import torch


class Power(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.save_for_backward(x)
        ctx.n = n
        return x**n

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * ctx.n * x ** (ctx.n - 1)


x = torch.tensor(2.0, requires_grad=True)
y = Power.apply(x, 3)
loss = y.square()
loss.backward()
print("x.grad:", x.grad.item())
