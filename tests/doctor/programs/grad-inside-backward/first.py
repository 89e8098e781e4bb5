# pitfall: grad-inside-backward
# line: 24
# silent: no
# seen: backward runs without recording, so the inner result has no grad_fn; wrap the recomputation in `with torch.enable_grad():`.
import torch
from torch import nn
from torch.autograd import Function


class Checkpoint(Function):
    """Forgets the activations of a block and computes them again."""

    @staticmethod
    def forward(ctx, block, x):
        ctx.block = block
        ctx.save_for_backward(x)
        return block(x)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        x = x.detach().requires_grad_(True)
        y = ctx.block(x)
        (grad_x,) = torch.autograd.grad(y, x, grad_output)
        return None, grad_x


torch.manual_seed(70)
block = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 4))
start = torch.randn(3, 4, requires_grad=True)
state = start
for _ in range(2):
    state = state + Checkpoint.apply(block, state)
loss = state.pow(2).mean()
loss.backward()
print(start.grad)
