# near miss of: compile-drops-backward
# silent: yes
# seen: nothing: what is compiled is the function itself, and `.backward()` calls the custom backward.
import torch
from torch.autograd import Function


class Softsign(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x / (1 + x.abs())

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output / (1 + x.abs()) ** 2


def energy(x):
    return Softsign.apply(x).pow(2).sum()


x = torch.tensor([1.0, 2.0, -3.0], dtype=torch.float64, requires_grad=True)
compiled = torch.compile(energy, backend="eager")
compiled(x).backward()
expected = 2 * x.detach() / (1 + x.detach().abs()) ** 3
print("as expected:", torch.allclose(x.grad, expected))
