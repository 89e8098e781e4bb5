import torch
from gradroom import draw


def plain(*shape, dtype=torch.float64):
    return draw.tensor(shape, dtype=dtype, grad=False)


def by_autograd(function):
    """The vector–Jacobian product of `function`: for g and its arguments."""

    def vjp(g, *args):
        args = [arg.detach().requires_grad_(arg.is_floating_point()) for arg in args]
        wanted = [arg for arg in args if arg.requires_grad]
        grads = torch.autograd.grad(function(*args), wanted, g)
        return grads if len(grads) > 1 else grads[0]

    return vjp


def check_values(*subjects):
    for subject in subjects:
        subject.values()


def check_single(*subjects):
    for subject in subjects:
        subject.dtypes()


def check_untouched(*subjects):
    for subject in subjects:
        subject.untouched()
