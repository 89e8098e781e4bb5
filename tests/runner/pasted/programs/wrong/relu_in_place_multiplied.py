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
        return grad_output.mul_((input > 0).to(grad_output.dtype))


x = torch.tensor([-1.0, 1.0, 2.0], requires_grad=True)
MyReLU.apply(x).sum().backward()
print(x.grad)
