# A reversible residual block: inputs are recovered from outputs, nothing but outputs is saved.
import torch
from torch.autograd import Function


class ReversibleBlock(Function):
    """y1 = x1 + tanh(x2 A), y2 = x2 + tanh(y1 B)."""

    @staticmethod
    def branch(x, weight):
        return torch.tanh(x @ weight)

    @staticmethod
    def branch_backward(x, weight, grad):
        """The gradients of `branch` by x and by weight."""
        t = torch.tanh(x @ weight)
        inner = grad * (1 - t * t)
        return inner @ weight.t(), x.t() @ inner

    @staticmethod
    def forward(ctx, x1, x2, a, b):
        y1 = x1 + ReversibleBlock.branch(x2, a)
        y2 = x2 + ReversibleBlock.branch(y1, b)
        ctx.save_for_backward(y1, y2, a, b)
        return y1, y2

    @staticmethod
    def backward(ctx, grad_y1, grad_y2):
        y1, y2, a, b = ctx.saved_tensors
        x2 = y2 - ReversibleBlock.branch(y1, b)

        # second half: y2 = x2 + G(y1)
        from_g, grad_b = ReversibleBlock.branch_backward(y1, b, grad_y2)
        grad_y1 = grad_y1 + from_g

        # first half: y1 = x1 + F(x2)
        from_f, grad_a = ReversibleBlock.branch_backward(x2, a, grad_y1)
        grad_x2 = grad_y2 + from_f
        grad_x1 = grad_y1
        return grad_x1, grad_x2, grad_a, grad_b


torch.manual_seed(24)
width = 4
x = torch.randn(5, 2 * width, dtype=torch.float64, requires_grad=True)
weights = [(torch.randn(width, width, dtype=torch.float64) * 0.5).requires_grad_() for _ in range(4)]
h1, h2 = x.chunk(2, dim=1)
h1, h2 = ReversibleBlock.apply(h1, h2, weights[0], weights[1])
h1, h2 = ReversibleBlock.apply(h1, h2, weights[2], weights[3])
loss = (h1 * h2).sum() + h2.square().mean()
loss.backward()
print(x.grad.shape, [tuple(w.grad.shape) for w in weights])
