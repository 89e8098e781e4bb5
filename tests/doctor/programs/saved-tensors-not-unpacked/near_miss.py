# near miss of: saved-tensors-not-unpacked
# silent: yes
# seen: nothing: the tuple is kept under one name and indexed where a tensor is needed.
import torch
from torch.autograd import Function


class Silu(Function):
    @staticmethod
    def forward(ctx, x, scale):
        ctx.save_for_backward(x, scale)
        return scale * x * torch.sigmoid(x)

    @staticmethod
    def backward(ctx, grad_output):
        saved = ctx.saved_tensors
        x = saved[0]
        s = torch.sigmoid(x)
        grad_scale = (grad_output * x * s).sum()
        return grad_output * saved[1] * s * (1 + x * (1 - s)), grad_scale


torch.manual_seed(56)
x = torch.randn(12, dtype=torch.float64, requires_grad=True)
scale = torch.tensor(2.0, dtype=torch.float64, requires_grad=True)
loss = Silu.apply(x, scale).pow(2).mean()
loss.backward()
print(tuple(x.grad.shape), tuple(scale.grad.shape))
