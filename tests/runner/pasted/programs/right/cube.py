import torch
import torchviz
import numpy as np


def cube_forward(x):
    return x ** 3


def cube_backward(grad_out, x):
    return grad_out * 3 * x ** 2


def cube_backward_backward(grad_out, sav_grad_out, x):
    return grad_out * sav_grad_out * 6 * x


def cube_backward_backward_grad_out(grad_out, x):
    return grad_out * 3 * x ** 2


def as_numpy(t):
    return t.detach().numpy()


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.from_numpy(np.asarray(cube_forward(as_numpy(x))))

    @staticmethod
    def backward(ctx, grad_out):
        x, = ctx.saved_tensors
        # a Function of its own, since autograd cannot see numpy
        return CubeBackward.apply(grad_out, x)


class CubeBackward(torch.autograd.Function):
    @staticmethod
    def forward(ctx, grad_out, x):
        ctx.save_for_backward(x, grad_out)
        return torch.from_numpy(np.asarray(cube_backward(as_numpy(grad_out), as_numpy(x))))

    @staticmethod
    def backward(ctx, grad_out):
        x, sav_grad_out = ctx.saved_tensors
        dx = cube_backward_backward(grad_out, sav_grad_out, x)
        dgrad_out = cube_backward_backward_grad_out(grad_out, x)
        return dgrad_out, dx


x = torch.tensor(2., requires_grad=True, dtype=torch.double)

torch.autograd.gradcheck(Cube.apply, x)
torch.autograd.gradgradcheck(Cube.apply, x)

out = Cube.apply(x)
grad_x, = torch.autograd.grad(out, x, create_graph=True)
grad_grad_x, = torch.autograd.grad(grad_x, x, create_graph=True)
print(out.item(), grad_x.item(), grad_grad_x.item())
torchviz.make_dot((grad_x, x, out), params={"grad_x": grad_x, "x": x, "out": out})
