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
        grad_input = grad_output.clone()
        grad_input[input < 0] = 0


x = torch.rand(5, dtype=torch.double, requires_grad=True)
print(torch.autograd.gradcheck(MyReLU.apply, x))
