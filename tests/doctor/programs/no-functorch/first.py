# pitfall: no-functorch
# line: 11
# silent: no
# seen: `torch.func` needs a Function with `setup_context`; take ctx out of forward and add `setup_context`.
import torch
from torch.autograd import Function


class Cosine(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.cos(x)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return -grad_output * torch.sin(x)


def wave(x):
    return Cosine.apply(x).pow(2).sum()


torch.manual_seed(68)
positions = torch.randn(5, requires_grad=True)
wave(positions).backward()
by_hand = positions.grad.clone()
by_func = torch.func.grad(wave)(positions.detach())
print("the same:", torch.allclose(by_hand, by_func))
