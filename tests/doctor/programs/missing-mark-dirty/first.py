# pitfall: missing-mark-dirty
# line: 15
# silent: yes
# seen: forward changes its input in place without `ctx.mark_dirty(x)`, so `x` keeps its old history although it has new values.
import torch
from torch import nn
from torch.autograd import Function


class InplaceLeaky(Function):
    @staticmethod
    def forward(ctx, x):
        slope = torch.where(x > 0, 1.0, 0.2)
        ctx.save_for_backward(slope)
        x.mul_(slope)
        return x

    @staticmethod
    def backward(ctx, grad_output):
        (slope,) = ctx.saved_tensors
        return grad_output * slope


torch.manual_seed(22)
mixer = nn.Linear(6, 6)
audio = torch.randn(8, 6)
hidden = mixer(audio)
activated = InplaceLeaky.apply(hidden)
# a skip connection around the activation
output = activated + hidden
loss = output.pow(2).mean()
loss.backward()
print("mixer:", tuple(mixer.weight.grad.shape))
