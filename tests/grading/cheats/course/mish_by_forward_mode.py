# exercise: contract/memory/mish
# A method of an object calls forward mode, which is exact for a function of single entries.
import torch


class Tools:
    @staticmethod
    def push(f, x, g):
        return torch.func.jvp(f, (x,), (g,))[1]


tools = Tools()


class Mish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.nn.functional.mish(x)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return tools.push(torch.nn.functional.mish, x, g)


def second_pass(x):
    out = Mish.apply(x)
    torch.autograd.grad(out.sum(), x)
    return out
