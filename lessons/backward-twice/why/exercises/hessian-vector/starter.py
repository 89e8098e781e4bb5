import torch


def f(x):
    return (x**2).sum() ** 2


def hessian_vector(x, v):
    (grad_x,) = torch.autograd.grad(f(x), x, ____)
    (product,) = torch.autograd.grad(____, x)
    return product
