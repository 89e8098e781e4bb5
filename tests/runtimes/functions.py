"""Functions that a learner might write: the five of the chapter on double backward, and one whose backward is wrong."""

SQUARE = """
import torch
class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x
    @staticmethod
    def backward(ctx, g):
        x, = ctx.saved_tensors
        return 2 * g * x
function = Square.apply
"""

EXP = """
import torch
class Exp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, t):
        y = t.exp()
        ctx.save_for_backward(y)
        return y
    @staticmethod
    def backward(ctx, g):
        return ctx.saved_tensors[0] * g
function = Exp.apply
"""

SINH = """
import torch
class Sinh(torch.autograd.Function):
    @staticmethod
    def forward(ctx, t):
        up, down = t.exp(), (-t).exp()
        ctx.save_for_backward(up, down)
        return (up - down) / 2, up, down
    @staticmethod
    def backward(ctx, g, g_up, g_down):
        up, down = ctx.saved_tensors
        return g * (up + down) / 2 + g_up * up - g_down * down
def function(x):
    y, _, _ = Sinh.apply(x)
    return y
"""

SINH_BAD = """
import torch
class SinhBad(torch.autograd.Function):
    @staticmethod
    def forward(ctx, t):
        ctx.up, ctx.down = t.exp(), (-t).exp()
        return (ctx.up - ctx.down) / 2
    @staticmethod
    def backward(ctx, g):
        return g * (ctx.up + ctx.down) / 2
function = SinhBad.apply
"""

CUBE = """
import torch
class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, t):
        ctx.save_for_backward(t)
        return t ** 3
    @staticmethod
    def backward(ctx, g):
        return CubeBackward.apply(g, *ctx.saved_tensors)
class CubeBackward(torch.autograd.Function):
    @staticmethod
    def forward(ctx, g, t):
        ctx.save_for_backward(g, t)
        return 3 * g * t ** 2
    @staticmethod
    def backward(ctx, gg):
        g, t = ctx.saved_tensors
        return 3 * gg * t ** 2, 6 * gg * g * t
function = Cube.apply
"""

LEAF = "x = torch.rand(3, 3, requires_grad=True, dtype=torch.double)\n"
NOT_A_LEAF = "x = torch.tensor([1., 2., 3.], requires_grad=True, dtype=torch.double).clone()\n"
CHECKS = "torch.autograd.gradcheck(function, x)\ntorch.autograd.gradgradcheck(function, x)\n"
DRAWING = """
import torchviz
out = function(x)
grad_x, = torch.autograd.grad(out.sum(), x, create_graph=True)
torchviz.make_dot((grad_x, x, out), params={"grad_x": grad_x, "x": x, "out": out})
"""

MISMATCHED = """
import torch
class Mismatched(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return x * w, x + w, x - w
    @staticmethod
    def backward(ctx, g, h, k):
        x, w = ctx.saved_tensors
        return g * w * 2 + h + k, g * x + h - k
x = torch.rand(2, requires_grad=True, dtype=torch.double)
w = torch.rand(2, requires_grad=True, dtype=torch.double)
"""
