# Rotary position embedding: each pair of features is turned by an angle of its position.
import torch
from torch.autograd import Function


class Rotary(Function):
    @staticmethod
    def forward(ctx, x, cos, sin):
        """Turn the halves of x.

        x: (batch, time, 2 * d); cos and sin: (time, d), tables without gradient.
        Nothing of x is saved: the gradient does not depend on it.
        The halves are paired as in GPT-NeoX, not neighbour with neighbour.
        """
        if x.shape[-1] != 2 * cos.shape[-1]:
            raise ValueError("the tables are for another width")
        if x.shape[-2] > cos.shape[0]:
            raise ValueError("the tables are too short")
        time = x.shape[-2]
        cos, sin = cos[:time], sin[:time]
        first, second = x.chunk(2, dim=-1)
        ctx.save_for_backward(cos, sin)
        return torch.cat((first * cos - second * sin, first * sin + second * cos), dim=-1)

    @staticmethod
    def backward(ctx, grad_output):
        # A rotation's transpose is the rotation by the opposite angle.
        cos, sin = ctx.saved_tensors
        if not ctx.needs_input_grad[0]:
            return None, None, None
        first, second = grad_output.chunk(2, dim=-1)
        grad_first = first * cos + second * sin
        grad_second = second * cos - first * sin
        grad_x = torch.cat((grad_first, grad_second), dim=-1)
        return grad_x, None, None


def tables(time, d, base=100.0):
    frequency = base ** (-torch.arange(d) / d)
    angle = torch.arange(time).unsqueeze(1) * frequency
    return angle.cos(), angle.sin()


torch.manual_seed(7)
cos, sin = tables(12, 4)
query = torch.randn(2, 6, 8, requires_grad=True)
key = torch.randn(2, 6, 8, requires_grad=True)
bias = torch.zeros(2, 6, 8, requires_grad=True)
scores = (Rotary.apply(query, cos, sin) + bias) @ Rotary.apply(key, cos, sin).transpose(1, 2)
scores.softmax(-1).diagonal(dim1=1, dim2=2).log().sum().neg().backward()
print(query.grad.shape, key.grad.shape, bias.grad.shape)
