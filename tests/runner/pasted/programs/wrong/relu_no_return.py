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


w = torch.randn(5, requires_grad=True)
learning_rate = 1e-2
for step in range(10):
    loss = (MyReLU.apply(w) - 1).pow(2).sum()
    loss.backward()
    with torch.no_grad():
        w -= learning_rate * w.grad
        w.grad.zero_()
