# A hook of the caller doubles the gradient that arrives.
import torch


class Cosh(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.cosh()

    @staticmethod
    def backward(ctx, grad):
        return grad * ctx.saved_tensors[0].sinh()


x = torch.tensor([0.5, 1.0], requires_grad=True)
y = Cosh.apply(x)
y.register_hook(lambda g: 2 * g)
y.sum().backward()
print(torch.allclose(x.grad, 2 * x.detach().sinh()))
