import torch


def f(x):
    return (x**2).sum() ** 2


def hessian_vector(x, v):
    f(x).backward(create_graph=True)  # adds to what an earlier call has left in x.grad
    (product,) = torch.autograd.grad((x.grad * v).sum(), x, retain_graph=True)
    return product
