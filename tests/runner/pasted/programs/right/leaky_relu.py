import torch
from torch.autograd import Function, gradcheck


class MyLeakyReLU(Function):
    @staticmethod
    def forward(ctx, x, negative_slope=0.01):
        ctx.save_for_backward(x)
        ctx.negative_slope = negative_slope
        return torch.where(x > 0, x, negative_slope * x)

    @staticmethod
    def backward(ctx, grad_output):
        x, = ctx.saved_tensors
        grad_x = torch.where(x > 0, grad_output, ctx.negative_slope * grad_output)
        # one gradient for x, and None for the slope
        return grad_x, None


leaky_relu = MyLeakyReLU.apply

x = torch.tensor([-2.0, -0.5, 1.5, 3.0], requires_grad=True)
y = leaky_relu(x, 0.05)
y.sum().backward()
print("y =", y)
print("x.grad =", x.grad)

x = torch.randn(4, 5, dtype=torch.double, requires_grad=True)
print("gradcheck:", gradcheck(lambda t: leaky_relu(t, 0.05), (x,), eps=1e-6, atol=1e-4))
