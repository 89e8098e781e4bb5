# pitfall: saved-variables
# line: 17
# silent: no
# seen: `ctx.saved_variables` is deprecated; write `ctx.saved_tensors`.
import torch
from torch.autograd import Function


class MyReLU(Function):
    @staticmethod
    def forward(ctx, input):
        ctx.save_for_backward(input)
        return input.clamp(min=0)

    @staticmethod
    def backward(ctx, grad_output):
        (input,) = ctx.saved_variables
        grad_input = grad_output.clone()
        grad_input[input < 0] = 0
        return grad_input


torch.manual_seed(38)
x, y = torch.randn(16, 10), torch.randn(16, 2)
w1 = torch.randn(10, 8, requires_grad=True)
w2 = torch.randn(8, 2, requires_grad=True)
for t in range(3):
    y_pred = MyReLU.apply(x @ w1) @ w2
    loss = (y_pred - y).pow(2).sum()
    loss.backward()
    with torch.no_grad():
        w1 -= 1e-4 * w1.grad
        w2 -= 1e-4 * w2.grad
        w1.grad.zero_()
        w2.grad.zero_()
print("three steps")
