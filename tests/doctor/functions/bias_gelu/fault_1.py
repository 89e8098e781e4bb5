# fault: saved-intermediate
# line: 25
# order: 2
import math

import torch
from torch.autograd import Function

SQRT_2_OVER_PI = math.sqrt(2 / math.pi)
CUBIC = 0.044715


class BiasGelu(Function):
    """GELU(x + bias) with the tanh approximation.

    x: (..., d); bias: (d,), broadcast over the leading dimensions.
    Saves the inputs alone: the activations are computed again.
    """

    @staticmethod
    def forward(ctx, x, bias):
        h = x + bias
        inner = SQRT_2_OVER_PI * (h + CUBIC * h**3)
        t = torch.tanh(inner)
        ctx.save_for_backward(h, t)
        return 0.5 * h * (1 + t)

    @staticmethod
    def backward(ctx, grad_output):
        h, t = ctx.saved_tensors
        grad_x = grad_bias = None
        # d/dh of h * (1 + tanh(u(h))) / 2
        slope = SQRT_2_OVER_PI * (1 + 3 * CUBIC * h**2)
        local = 0.5 * (1 + t) + 0.5 * h * (1 - t**2) * slope
        grad_h = grad_output * local
        if ctx.needs_input_grad[0]:
            grad_x = grad_h
        if ctx.needs_input_grad[1]:
            leading = tuple(range(grad_h.dim() - 1))
            grad_bias = grad_h.sum(leading)
        return grad_x, grad_bias


torch.manual_seed(0)
tokens = torch.randn(4, 6, 8)
weight = (torch.randn(8, 8) / 3).requires_grad_()
bias = torch.zeros(8, requires_grad=True)
hidden = BiasGelu.apply(tokens @ weight, bias)
loss = (hidden - tokens).pow(2).mean()
loss.backward()
print(bias.grad.shape)
