import torch


def f(x):
    return (x**2).sum() ** 2


def hessian_vector(x, v):
    (grad_x,) = torch.autograd.grad(f(x), x, retain_graph=True)
    (product,) = torch.autograd.grad((grad_x * v).sum(), x)
    return product
