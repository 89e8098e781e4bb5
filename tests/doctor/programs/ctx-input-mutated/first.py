# pitfall: ctx-input-mutated
# line: 12
# silent: yes
# seen: `ctx.x = x` does not notice that `x` is changed in place before backward; use `save_for_backward`, which does.
import torch
from torch.autograd import Function


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.x = x
        return x * x

    @staticmethod
    def backward(ctx, grad_output):
        return 2 * ctx.x * grad_output


torch.manual_seed(13)
speed = torch.randn(5, requires_grad=True)
buffer = speed * 1.0
energy = Square.apply(buffer)
# the buffer is needed no more: use it again for the momentum
buffer.mul_(0.5)
loss = energy.sum() + buffer.sum()
loss.backward()
print("gradient for", speed.shape[0], "particles")
