"""The program that every way of running executes: it defines Sinh, checks it twice, and draws its graph."""

SNIPPET = """\
import torch
import torchviz
from torch.autograd import gradcheck, gradgradcheck


class Sinh(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        up = torch.exp(x)
        down = torch.exp(-x)
        ctx.save_for_backward(up, down)
        return (up - down) / 2, up, down

    @staticmethod
    def backward(ctx, grad_out, grad_up, grad_down):
        up, down = ctx.saved_tensors
        grad = grad_out * (up + down) / 2
        return grad + grad_up * up - grad_down * down


def sinh(x):
    return Sinh.apply(x)[0]


x = torch.rand(3, 3, requires_grad=True, dtype=torch.double)
print(gradcheck(sinh, x), gradgradcheck(sinh, x))
out = sinh(x)
(grad_x,) = torch.autograd.grad(out.sum(), x, create_graph=True)
dot = torchviz.make_dot((grad_x, x, out), params={"grad_x": grad_x, "x": x, "out": out})
"""

# What follows the snippet where nothing else would draw the graph.
DRAW_IN_PROCESS = """\
import pygraphviz

# Graphviz 14.1.5 corrupts memory on a label that begins with a line break
drawn = pygraphviz.AGraph(string=dot.source.replace('"\\n', '" \\n')).draw(format="svg", prog="dot")
assert b"<svg" in drawn
"""
DRAW_IN_NOTEBOOK = "dot\n"
