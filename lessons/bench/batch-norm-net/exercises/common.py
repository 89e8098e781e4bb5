import torch
from gradroom import draw


def plain(*shape):
    return draw.tensor(shape, grad=False)


def sizes():
    """Rows, columns: never equal, so that a lost transpose or a sum over the wrong axis shows."""
    columns = draw.whole(2, 4)
    return columns + draw.whole(1, 3), columns


def check_single(*subjects):
    for subject in subjects:
        subject.dtypes()


def check_untouched(*subjects):
    for subject in subjects:
        subject.untouched()


def check_large(*subjects):
    for subject in subjects:
        subject.values(times=1)


def by_autograd(function):
    """The vector–Jacobian product of `function`: for g and its arguments."""

    def vjp(g, *args):
        args = [arg.detach().requires_grad_(arg.is_floating_point()) for arg in args]
        wanted = [arg for arg in args if arg.requires_grad]
        grads = torch.autograd.grad(function(*args), wanted, g)
        return grads if len(grads) > 1 else grads[0]

    return vjp


def normalised(pre):
    diff = pre - pre.mean(0)
    return diff / ((diff**2).mean(0) + 1e-5).sqrt()
