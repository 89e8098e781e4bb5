# pitfall: non-leaf-grad
# line: 28
# silent: no
# seen: `hidden` is not a leaf, so its `.grad` stays None; call `hidden.retain_grad()` before backward.
import torch
from torch import nn
from torch.autograd import Function


class Relu6(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.clamp(0, 6)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * ((x > 0) & (x < 6))


torch.manual_seed(80)
lower, upper = nn.Linear(4, 8), nn.Linear(8, 2)
flowers = torch.randn(10, 4)
hidden = Relu6.apply(lower(flowers))
loss = nn.functional.cross_entropy(upper(hidden), torch.randint(0, 2, (10,)))
loss.backward()
importance = hidden.grad
print("importance of the hidden units:", importance)
