"""The programs that pay the first-time costs: everything that the most common lessons do. They run in the zygote, and again in spares."""

from app.protocol.run import Program, Source

_SOURCE = """
import torch
import torchviz
from torch.autograd import gradcheck, gradgradcheck


class WarmUp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        up, down = torch.exp(x), torch.exp(-x)
        ctx.save_for_backward(up, down)
        return (up - down) / 2, up, down

    @staticmethod
    def backward(ctx, grad_out, grad_up, grad_down):
        up, down = ctx.saved_tensors
        return grad_out * (up + down) / 2 + grad_up * up - grad_down * down


class WarmUpBad(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.up = torch.exp(x)
        return ctx.up * 2

    @staticmethod
    def backward(ctx, grad_out):
        return grad_out * ctx.up * 2


def warm_up(x):
    return WarmUp.apply(x)[0]


x = torch.rand(2, 2, requires_grad=True, dtype=torch.double)
gradcheck(warm_up, x)
gradgradcheck(warm_up, x)
gradcheck(WarmUpBad.apply, x)
gradgradcheck(WarmUpBad.apply, x, raise_exception=False)
out = warm_up(x)
grad_x, = torch.autograd.grad(out.sum(), x, create_graph=True)
dot = torchviz.make_dot((grad_x, x, out), params={"grad_x": grad_x, "x": x, "out": out})
dot.pipe(format="svg")
print(grad_x, x.dtype, f"{out.sum().item():.4f}", end="")
(x * 2).sum().backward()
x
"""

_FAILING = "import torch\n(torch.ones(2) @ torch.ones(3)).sum()\n"

PROGRAMS = (
    Program(source=Source(text=_SOURCE, cell="warm-up")),
    Program(source=Source(text=_FAILING, cell="warm-up"), replay=[Source(text="x = 1", cell="warm-up-replay")]),
)
