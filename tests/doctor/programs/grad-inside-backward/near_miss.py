# near miss of: grad-inside-backward
# silent: yes
# seen: nothing: the recomputation in backward is under `enable_grad`.
import torch
from torch import nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable


class Checkpoint(Function):
    @staticmethod
    def forward(ctx, block, x):
        ctx.block = block
        ctx.save_for_backward(x)
        return block(x)

    @staticmethod
    @once_differentiable
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        with torch.enable_grad():
            x = x.detach().requires_grad_(True)
            y = ctx.block(x)
        (grad_x,) = torch.autograd.grad(y, x, grad_output)
        return None, grad_x


torch.manual_seed(70)
block = nn.Sequential(nn.Linear(4, 6), nn.Tanh(), nn.Linear(6, 4)).double().requires_grad_(False)
start = torch.randn(3, 4, dtype=torch.float64, requires_grad=True)
state = start + Checkpoint.apply(block, start)
loss = state.pow(2).mean()
loss.backward()
print(tuple(start.grad.shape))
