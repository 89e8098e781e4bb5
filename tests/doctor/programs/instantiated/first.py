# pitfall: instantiated
# line: 29
# silent: no
# seen: a Function is not an object to be made and called; call `Mish.apply(...)` instead of `Mish()(...)`.
import torch
import torch.nn.functional as F
from torch.autograd import Function


class Mish(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * torch.tanh(F.softplus(x))

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        t = torch.tanh(F.softplus(x))
        return grad_output * (t + x * (1 - t * t) * torch.sigmoid(x))


class Block(torch.nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.conv = torch.nn.Conv1d(channels, channels, 3, padding=1)

    def forward(self, signal):
        return Mish()(self.conv(signal))


torch.manual_seed(8)
block = Block(4)
signal = torch.randn(2, 4, 20)
block(signal).mean().backward()
print(block.conv.weight.grad.norm())
