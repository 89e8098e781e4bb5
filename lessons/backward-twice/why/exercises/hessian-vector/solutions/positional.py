import torch


def f(x):
    return (x**2).sum() ** 2


def hessian_vector(x, v):
    (grad_x,) = torch.autograd.grad(f(x), x, None, None, True)
    (product,) = torch.autograd.grad(grad_x.flatten() @ v.flatten(), x)
    return product
