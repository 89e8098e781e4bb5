import torch


def slopes(x):
    x = x if x.requires_grad else x.detach().requires_grad_()
    h = torch.exp(x)
    h.sum().backward(retain_graph=True)
    first = x.grad.clone()
    x.grad = None
    (h * h).sum().backward()
    return first, x.grad
