from gradroom import Subject, check, draw, mistake


def right_short(g, xhat, std):
    return by_autograd(normalised)(g, xhat * std)


def drawn(n, k):
    pre = plain(n, k) * draw.number(0.5, 3.0)
    pre[:, draw.whole(0, k - 1)] *= 0.005
    return [plain(n, k), normalised(pre), (pre.var(0, correction=0) + 1e-5).sqrt()]


def batch(g, pre):
    return [g, normalised(pre), (pre.var(0, correction=0) + 1e-5).sqrt()]


def with_extremes():
    """A column that does not vary, one with a very large entry, and one with a zero among the gradients."""
    g, pre = plain(4, 3), plain(4, 3)
    g[0, 2], pre[:, 0], pre[0, 1] = 0, 0.5, 900
    return batch(g, pre)


at_edges = [
    Subject("d_norm_short", drawn_, like=right_short)
    for drawn_ in (with_extremes, lambda: batch(plain(1, 3), plain(1, 3)), lambda: batch(plain(30, 1), plain(30, 1)))
]
short_ = Subject("d_norm_short", lambda: drawn(*sizes()), like=right_short)


@check
def values():
    short_.values(times=4)


@check
def single():
    short_.dtypes()


@check
def unchanged():
    short_.untouched()


@check
def edges():
    for subject in at_edges:
        subject.values()
    Subject("d_norm_short", lambda: [one[..., :1] for one in drawn(5, 3)], like=right_short).values(times=1)
    short_.edges(without=["small", "one-zero", "zeros", "ties", "large", "low", "tiny", "one-row", "many-rows"])  # xhat is of a true batch


@check
def large():
    for n, k in ((300, 200), (30_000, 2), (3, 20_000)):  # no n × n or k × k matrix can be held
        Subject("d_norm_short", lambda n=n, k=k: drawn(n, k), like=right_short).values(times=1)


@mistake
def one_path():
    return short_.behaves_like(forward=lambda g, xhat, std: (g - g.mean(0)) / std)


@mistake
def sums():
    return short_.behaves_like(forward=lambda g, xhat, std: (g - g.sum(0) - xhat * (g * xhat).sum(0)) / std)
