import math

import torch


class LegendrePolynomial3(torch.autograd.Function):
    @staticmethod
    def forward(ctx, input):
        ctx.save_for_backward(input)
        return 0.5 * (5 * input ** 3 - 3 * input)

    @staticmethod
    def backward(ctx, grad_output):
        input, = ctx.saved_tensors
        return grad_output * 1.5 * (5 * input ** 2 - 1)


x = torch.linspace(-math.pi, math.pi, 2000)
y = torch.sin(x)
b = torch.full((), -1.0, requires_grad=True)
d = torch.full((), 0.3, requires_grad=True)
for t in range(300):
    loss = (b * LegendrePolynomial3.apply(d * x) - y).pow(2).sum()
    if t % 100 == 99:
        print(t, loss.item())
    loss.backward()
    with torch.no_grad():
        b -= 5e-6 * b.grad
        d -= 5e-6 * d.grad
