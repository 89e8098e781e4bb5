# near miss of: non-leaf-grad
# silent: yes
# seen: nothing: the `.grad` read is of a result for which `retain_grad()` was called.
import torch
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
weights = torch.randn(4, 8, dtype=torch.float64, requires_grad=True)
flowers = torch.randn(10, 4, dtype=torch.float64)
hidden = Relu6.apply(flowers @ weights)
hidden.retain_grad()
loss = hidden.pow(2).mean()
loss.backward()
importance = hidden.grad
print("importance:", tuple(importance.shape))
