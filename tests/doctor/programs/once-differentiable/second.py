# pitfall: once-differentiable
# line: 17
# silent: yes
# seen: the part of the second derivative through a backward marked `@once_differentiable` is silently dropped; remove the mark.
import torch
from torch.autograd import grad
from torch.autograd.function import Function, once_differentiable


class Cube(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    @once_differentiable
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * 3 * x * x


def second_derivative(function, x):
    (first,) = grad(function(x).sum(), x, create_graph=True)
    (second,) = grad(first.sum(), x)
    return second


def energy(x):
    return x**2 * Cube.apply(x)


x = torch.tensor([0.5, 1.0, 2.0], dtype=torch.float64, requires_grad=True)
energy(x).sum().backward()
curvature = second_derivative(energy, x)
print("curvature at 1:", curvature[1].item())
