# NumPy with a second Function for the second derivative.
import numpy as np
import torch


class NumpySin(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.from_numpy(np.sin(x.detach().numpy()))

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * NumpyCos.apply(x)


class NumpyCos(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.from_numpy(np.cos(x.detach().numpy()))

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return -grad * NumpySin.apply(x)


x = torch.linspace(0, 3, 5, dtype=torch.float64, requires_grad=True)
(first,) = torch.autograd.grad(NumpySin.apply(x).sum(), x, create_graph=True)
first.sum().backward()
print(torch.allclose(x.grad, -x.detach().sin()))
