import torch
from gradroom import Subject, check, draw, mistake


def right_affine(g, xhat, gamma):
    return by_autograd(lambda xhat, gamma, beta: gamma * xhat + beta)(g, xhat, gamma, torch.zeros_like(gamma))


right_divide = by_autograd(lambda diff, var: diff / (var + 1e-5).sqrt())


def of_affine(n, k):
    return [plain(n, k), plain(n, k), plain(k)]


def of_divide(n, k):
    """The variance is an argument of its own. One column has a small one, so that the 1e-5 counts."""
    var = draw.tensor((k,), 0.2, 3.0, grad=False)
    var[draw.whole(0, k - 1)] = draw.number(1e-5, 1e-4)
    return [plain(n, k), plain(n, k), var]


affine_ = Subject("d_affine", lambda: of_affine(*sizes()), like=right_affine)
divide_ = Subject("d_divide", lambda: of_divide(*sizes()), like=right_divide)
large_affine = Subject("d_affine", lambda: of_affine(300, 200), like=right_affine)
long_affine = Subject("d_affine", lambda: of_affine(20_000, 3), like=right_affine)  # nothing of the size rows times rows can be held
long_divide = Subject("d_divide", lambda: of_divide(20_000, 3), like=right_divide)
large_divide = Subject("d_divide", lambda: of_divide(300, 200), like=right_divide)


@check
def affine():
    affine_.values(times=4)


@check
def divide():
    divide_.values(times=4)


@check
def single():
    check_single(affine_, divide_)


@check
def unchanged():
    check_untouched(affine_, divide_)


@check
def large():
    check_large(large_affine, large_divide, long_affine, long_divide)


@check
def edges():
    Subject("d_affine", lambda: of_affine(4, 1), like=right_affine).values(times=1)
    Subject("d_divide", lambda: of_divide(4, 1), like=right_divide).values(times=1)
    affine_.edges()
    divide_.edges()  # a negative variance is no number in the reference, either


@mistake
def not_summed():
    return affine_.behaves_like(forward=lambda g, xhat, gamma: (g * gamma, g * xhat, g))


@mistake
def one_root():
    def gradient(g, diff, var):
        std = (var + 1e-5).sqrt()
        return g / std, -(g * diff).sum(0) / (2 * std)

    return divide_.behaves_like(forward=gradient)


@mistake
def no_epsilon():
    def gradient(g, diff, var):
        return g / var.sqrt(), -(g * diff).sum(0) / (2 * var**1.5)

    return divide_.behaves_like(forward=gradient)
