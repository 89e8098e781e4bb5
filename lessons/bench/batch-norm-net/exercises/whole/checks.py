import torch
from gradroom import Subject, check, draw, mistake


def right_all(x, labels, *params):
    x, *params = [one.detach().requires_grad_() for one in (x, *params)]
    w1, b1, gamma, beta, w2, b2 = params
    pre = x @ w1 + b1
    diff = pre - pre.mean(0)
    xhat = diff / ((diff**2).mean(0) + 1e-5).sqrt()
    h = (gamma * xhat + beta).tanh()
    loss = torch.nn.functional.cross_entropy(h @ w2 + b2, labels)
    return list(torch.autograd.grad(loss, [x, *params]))


def of_all(n, d, h, k):
    labels = torch.tensor([draw.whole(0, k - 1) for _ in range(n)])
    return [plain(n, d), labels, plain(d, h), plain(h), plain(h), plain(h), plain(h, k), plain(k)]


def drawn():
    n, d = sizes()
    return of_all(n, d, draw.whole(3, 6), draw.whole(2, 5))


whole_ = Subject("gradients", drawn, like=right_all)
rows_ = [Subject("gradients", lambda n=n: of_all(n, 3, 4, 2), like=right_all) for n in (2, 40)]
long_ = Subject("gradients", lambda: of_all(20_000, 3, 4, 2), like=right_all)  # nothing of the size rows times rows can be held
large_ = Subject("gradients", lambda: of_all(400, 100, 150, 10), like=right_all)


@check
def small():
    whole_.values(times=4)


@check
def single():
    whole_.dtypes(
        absolute=2e-5
    )  # the gradient of b1 is truly zero: what comes out is rounding errors, of which the smallest variance decides


@check
def unchanged():
    whole_.untouched()


@check
def large():
    large_.values(times=1)
    long_.values(times=1)


@check
def edges():
    for subject in rows_:
        subject.values(times=1)
    # b2 is not to be a row of them; the gradient of b1 is truly zero, and far out what comes out is rounding errors
    whole_.edges(without=["small", "one-row", "many-rows", "all-large", "float32"])


@mistake
def no_tanh():
    def gradients(x, labels, *params):
        x, *params = [one.detach().requires_grad_() for one in (x, *params)]
        w1, b1, gamma, beta, w2, b2 = params
        y = gamma * normalised(x @ w1 + b1) + beta
        h = y + (y.tanh() - y).detach()
        loss = torch.nn.functional.cross_entropy(h @ w2 + b2, labels)
        return tuple(torch.autograd.grad(loss, [x, *params]))

    return whole_.behaves_like(forward=gradients)


@mistake
def walk_order():
    def gradients(*args):
        x, w1, b1, gamma, beta, w2, b2 = right_all(*args)
        return w2, b2, gamma, beta, w1, b1, x

    return whole_.behaves_like(forward=gradients)
