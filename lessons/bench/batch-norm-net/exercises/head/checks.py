import torch
from gradroom import Subject, check, draw, mistake


def of_loss(n, k):
    return [3 * plain(n, k), torch.tensor([draw.whole(0, k - 1) for _ in range(n)])]


def right_loss(logits, labels):
    logits = logits.detach().requires_grad_()
    loss = torch.nn.functional.cross_entropy(logits, labels)
    return torch.autograd.grad(loss, logits)[0]


def of_linear(n, d, k):
    return [plain(n, k), plain(n, d), plain(d, k)]


def right_linear(g, a, w):
    a, w = a.detach().requires_grad_(), w.detach().requires_grad_()
    b = torch.zeros_like(g[0]).requires_grad_()
    return torch.autograd.grad(a @ w + b, (a, w, b), g)


def of_tanh(n, k):
    return [plain(n, k), plain(n, k).tanh()]


def right_tanh(g, h):
    return g * (1 - h**2)


loss_ = Subject("d_loss", lambda: of_loss(*sizes()), like=right_loss)
linear_ = Subject("d_linear", lambda: of_linear(*sizes(), draw.whole(2, 6)), like=right_linear)
tanh_ = Subject("d_tanh", lambda: of_tanh(*sizes()), like=right_tanh)
flat = Subject("d_tanh", lambda: [plain(3, 2), torch.tensor([[1, 0.5], [-1, 0], [1, -1]], dtype=torch.float64)], like=right_tanh)
large_loss = Subject("d_loss", lambda: of_loss(300, 200), like=right_loss)
large_linear = Subject("d_linear", lambda: of_linear(300, 200, 150), like=right_linear)
large_tanh = Subject("d_tanh", lambda: of_tanh(300, 200), like=right_tanh)
long_loss = Subject("d_loss", lambda: of_loss(20_000, 3), like=right_loss)  # nothing of the size rows times rows can be held
long_linear = Subject("d_linear", lambda: of_linear(20_000, 3, 2), like=right_linear)


@check
def loss():
    loss_.values(times=4)


@check
def linear():
    linear_.values(times=4)


@check
def tanh():
    tanh_.values(times=4)


@check
def single():
    check_single(loss_, linear_, tanh_)


@check
def unchanged():
    check_untouched(loss_, linear_, tanh_)


@check
def large():
    check_large(large_loss, large_linear, large_tanh, long_loss, long_linear)


@check
def edges():
    Subject("d_loss", lambda: of_loss(4, 1), like=right_loss).values(times=1)
    for n, d, k in ((4, 1, 3), (4, 3, 1)):
        Subject("d_linear", lambda n=n, d=d, k=k: of_linear(n, d, k), like=right_linear).values(times=1)
    loss_.edges()
    linear_.edges()
    tanh_.edges(without=["large", "low"])  # no result of tanh
    flat.values(times=1)


@mistake
def not_divided():
    return loss_.behaves_like(forward=lambda logits, labels: right_loss(logits, labels) * len(labels))


@mistake
def bias_not_summed():
    def gradient(g, a, w):
        return g @ w.T, a.T @ g, g

    return linear_.behaves_like(forward=gradient)


@mistake
def tanh_of_h():
    return tanh_.behaves_like(forward=lambda g, h: g * (1 - h.tanh() ** 2))
