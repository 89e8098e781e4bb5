import torch


def check(reciprocal):
    for number in (5.0, -5.0):
        x = torch.tensor([0.5], dtype=torch.double, requires_grad=True)
        incoming = torch.tensor([number], dtype=torch.double)
        (grad_x,) = torch.autograd.grad(reciprocal(x), x, incoming)
        if not torch.allclose(grad_x, incoming * -1 / x**2):
            return False
    return True
