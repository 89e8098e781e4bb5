from gradroom import Subject, check, draw, mistake


def right_short(g, xhat, std):
    return by_autograd(normalised)(g, xhat * std)


def drawn(n, k):
    pre = plain(n, k) * draw.number(0.5, 3.0)
    pre[:, draw.whole(0, k - 1)] *= 0.005
    return [plain(n, k), normalised(pre), (pre.var(0, correction=0) + 1e-5).sqrt()]


short_ = Subject("d_norm_short", lambda: drawn(*sizes()), like=right_short)


@check
def values():
    short_.values(times=4)


@check
def single():
    short_.dtypes()


@check
def large():
    Subject("d_norm_short", lambda: drawn(300, 200), like=right_short).values(times=1)


@mistake
def one_path():
    return short_.behaves_like(forward=lambda g, xhat, std: (g - g.mean(0)) / std)


@mistake
def sums():
    return short_.behaves_like(forward=lambda g, xhat, std: (g - g.sum(0) - xhat * (g * xhat).sum(0)) / std)
