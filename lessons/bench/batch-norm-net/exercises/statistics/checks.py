import torch
from gradroom import Subject, check, draw, mistake


right_variance = by_autograd(lambda diff: (diff**2).mean(0))
right_norm = by_autograd(normalised)


def right_center(g):
    return by_autograd(lambda pre: pre - pre.mean(0))(g, torch.zeros_like(g))


def of_variance(n, k):
    return [plain(k), plain(n, k)]


def of_norm(n, k):
    """One column hardly varies, so that the 1e-5 counts."""
    pre = plain(n, k)
    pre[:, draw.whole(0, k - 1)] *= 0.005
    return [plain(n, k), pre + 3 * plain(k)]


variance_ = Subject("d_variance", lambda: of_variance(*sizes()), like=right_variance)
center_ = Subject("d_center", lambda: [plain(*sizes())], like=right_center)
norm_ = Subject("d_norm", lambda: of_norm(*sizes()), like=right_norm)
far = Subject("d_norm", lambda: [plain(5, 2), 0.01 * plain(5, 2) + 10_000], like=right_norm)
tame = Subject("d_norm", lambda: [plain(3, 2), torch.tensor([[1.0, -1], [-1, 0], [0.5, 1]], dtype=torch.float64)], like=right_norm)
large_variance = Subject("d_variance", lambda: of_variance(300, 200), like=right_variance)
large_center = Subject("d_center", lambda: [plain(300, 200)], like=right_center)
long_variance = Subject(
    "d_variance", lambda: of_variance(20_000, 3), like=right_variance
)  # nothing of the size rows times rows can be held
long_center = Subject("d_center", lambda: [plain(20_000, 3)], like=right_center)
long_norm = Subject("d_norm", lambda: [plain(20_000, 3), plain(20_000, 3)], like=right_norm)
large_norm = Subject("d_norm", lambda: [plain(300, 200), plain(300, 200)], like=right_norm)


@check
def variance():
    variance_.values(times=4)


@check
def center():
    center_.values(times=4)


@check
def norm():
    norm_.values(times=4)


@check
def single():
    check_single(variance_, center_, tame)


@check
def unchanged():
    check_untouched(variance_, center_, tame)


@check
def large():
    check_large(large_variance, large_center, large_norm, long_variance, long_center, long_norm)


@check
def edges():
    for rows in (1, 30):
        Subject("d_variance", lambda rows=rows: of_variance(rows, 3), like=right_variance).values(times=1)
    variance_.edges(without=["one-row", "many-rows", "float32"])  # g is no rows
    for subject in [center_, norm_]:
        subject.edges(without=["float32"])  # that is what single asks
    far.values()
    Subject("d_center", lambda: [plain(4, 1)], like=right_center).values(times=1)
    Subject("d_variance", lambda: of_variance(4, 1), like=right_variance).values(times=1)
    Subject("d_norm", lambda: [plain(4, 1), plain(4, 1)], like=right_norm).values(times=1)


@mistake
def constant_statistics():
    def gradient(g, pre):
        return g / (pre.var(0, correction=0) + 1e-5).sqrt()

    return norm_.behaves_like(forward=gradient)


@mistake
def one_path():
    def gradient(g, pre):
        g = g / (pre.var(0, correction=0) + 1e-5).sqrt()
        return g - g.mean(0)

    return norm_.behaves_like(forward=gradient)


@mistake
def not_divided():
    return variance_.behaves_like(forward=lambda g, diff: 2 * g * diff)
