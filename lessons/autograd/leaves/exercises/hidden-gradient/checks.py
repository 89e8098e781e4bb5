import torch
from gradroom import Subject, check, draw, mistake


def drawn():
    rows, inner, units = draw.whole(2, 3), draw.whole(4, 5), draw.whole(6, 7)
    x = draw.tensor((rows, inner), low=-1.0, high=1.0, grad=False)
    return [x, draw.tensor((inner, units)), draw.tensor((units,), low=0.5, grad=False)]


hidden = Subject("hidden_gradient", drawn)


@check
def gradient():
    hidden.values()


@check
def edges():
    hidden.edges()


@mistake
def not_kept():
    return hidden.theirs.call(drawn()).outputs[0] is None


@mistake
def leaf():
    def gradient_of_w(x, w, v):
        h = torch.tanh(x @ w)
        return x.T @ (2 * h * v * (1 - h**2))

    return hidden.behaves_like(gradient_of_w)
