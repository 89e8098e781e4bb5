import torch
from torch.autograd import Function, gradcheck


class MyLeakyReLU(Function):
    @staticmethod
    def forward(ctx, x, slope):
        ctx.save_for_backward(x)
        ctx.slope = slope
        return torch.where(x > 0, x, slope * x)

    @staticmethod
    def backward(ctx, grad_output):
        x, = ctx.saved_tensors
        return torch.where(x > 0, 1.0, ctx.slope), None


x = torch.tensor([-1.0, 2.0], dtype=torch.double, requires_grad=True)
print(gradcheck(MyLeakyReLU.apply, (x, 0.05)))
MyLeakyReLU.apply(x, 0.05).sum().backward()
torch.set_printoptions(precision=12)
print(x.grad)
