import torch


def f(x):
    return (x**2).sum() ** 2


def hessian_vector(x, v):
    (grad_x,) = torch.autograd.grad(f(x), x, create_graph=True)
    (product,) = torch.autograd.grad(torch.dot(grad_x, v), x)
    return product
