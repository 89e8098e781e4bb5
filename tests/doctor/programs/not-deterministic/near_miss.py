# near miss of: not-deterministic
# silent: yes
# seen: nothing: the mask is drawn outside and saved, so that forward and backward use the same one.
import torch
from torch.autograd import Function


class DropConnect(Function):
    @staticmethod
    def forward(ctx, weight, p, seed):
        generator = torch.Generator().manual_seed(seed)
        keep = torch.rand(weight.shape, generator=generator) > p
        ctx.save_for_backward(keep)
        ctx.p = p
        return weight * keep / (1 - p)

    @staticmethod
    def backward(ctx, grad_output):
        (keep,) = ctx.saved_tensors
        return grad_output * keep / (1 - ctx.p), None, None


torch.manual_seed(51)
weight = torch.randn(4, 12, dtype=torch.float64, requires_grad=True)
cells = torch.randn(20, 12, dtype=torch.float64)
for seed in range(2):
    loss = (cells @ DropConnect.apply(weight, 0.5, seed).t()).pow(2).mean()
    loss.backward()
    with torch.no_grad():
        weight -= 0.1 * weight.grad
    weight.grad = None
print("two steps")
