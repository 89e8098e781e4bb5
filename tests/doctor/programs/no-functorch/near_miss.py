# near miss of: no-functorch
# silent: yes
# seen: nothing: the old style is used with `.backward()` only, and what `torch.func` differentiates has `setup_context`.
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


class Square(Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return x * x

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return 2 * x * grad_output


x = torch.linspace(0, 1, 5, dtype=torch.float64, requires_grad=True)
Cosine.apply(x).sum().backward()
slopes = torch.func.vmap(torch.func.grad(Square.apply))(x.detach())
print("slopes:", torch.equal(slopes, 2 * x.detach()))
