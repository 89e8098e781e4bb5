import torch
from torch.autograd import Function


class MyReLU(Function):
    @staticmethod
    def forward(ctx, input):
        ctx.save_for_backward(input)
        return input.clamp(min=0)

    @staticmethod
    def backward(ctx, grad_output):
        input, = ctx.saved_tensors
        grad_output[input < 0] = 0
        return grad_output


x = torch.tensor([-1.0, 1.0, 2.0], requires_grad=True)
print(torch.autograd.gradcheck(MyReLU.apply, torch.randn(3, dtype=torch.double, requires_grad=True)))
MyReLU.apply(x).sum().backward()
print(x.grad)       # [0, 1, 1] is right
