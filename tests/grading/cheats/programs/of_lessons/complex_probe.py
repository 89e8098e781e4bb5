# exercise: own-functions/incoming-gradient/incoming-check
# caught by: right
# no large incoming gradient: a complex one, for which clamp raises an error
import torch


def check(reciprocal):
    x = torch.tensor([0.5, 2.0], dtype=torch.cdouble, requires_grad=True)
    incoming = torch.tensor([0.5, -0.3], dtype=torch.cdouble)
    (grad_x,) = torch.autograd.grad(reciprocal(x), x, incoming)
    return torch.allclose(grad_x, -incoming / x**2)
