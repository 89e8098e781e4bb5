from gradroom import Subject, check, draw, mistake


def of_norm(m, n):
    return [plain(m), draw.apart(plain(m, n))]


def of_rows(m, n):
    return [plain(m, n), plain(m, n)]


def of_lifted(m, n, by):
    """Whole rows that are large, or low, beside one that is not."""
    g, x = of_rows(m, n)
    x[1:] += by
    return [g, x]


def size():
    return draw.choice([(3, 4), (4, 2), (2, 3), (5, 5)])


right_norm = by_autograd(lambda x: x.norm(dim=1))
right_softmax = by_autograd(lambda x: x.softmax(dim=1))
right_log = by_autograd(lambda x: x.log_softmax(dim=1))
norm_ = Subject("vjp_norm", lambda: of_norm(*size()), like=right_norm)
softmax_ = Subject("vjp_softmax", lambda: of_rows(*size()), like=right_softmax)
log_ = Subject("vjp_log_softmax", lambda: of_rows(*size()), like=right_log)


@check
def norm():
    check_values(norm_)


@check
def softmax():
    check_values(softmax_)


@check
def log_softmax():
    check_values(log_)


@check
def single():
    check_single(norm_, softmax_, log_)


@check
def unchanged():
    check_untouched(norm_, softmax_, log_)


@check
def edges():
    norm_.edges(without=["zeros", "tiny"])  # no row is nearly zero
    softmax_.edges()
    log_.edges()
    for by in (900, -900):
        Subject("vjp_softmax", lambda: of_lifted(4, 3, by), like=right_softmax).values()
        Subject("vjp_log_softmax", lambda: of_lifted(4, 3, by), like=right_log).values()
    Subject("vjp_norm", lambda: of_norm(4, 1), like=right_norm).values(times=1)
    Subject("vjp_softmax", lambda: of_rows(4, 1), like=right_softmax).values(times=1)
    Subject("vjp_log_softmax", lambda: of_rows(4, 1), like=right_log).values(times=1)


@check
def large():  # rows so long that a difference quotient for each column takes too long
    Subject("vjp_norm", lambda: of_norm(30, 4000), like=right_norm).values(times=1)
    Subject("vjp_softmax", lambda: of_rows(30, 4000), like=right_softmax).values(times=1)
    Subject("vjp_log_softmax", lambda: of_rows(30, 4000), like=right_log).values(times=1)
    Subject("vjp_norm", lambda: of_norm(30_000, 3), like=right_norm).values(times=1)  # nothing of the size rows times rows can be held
    Subject("vjp_softmax", lambda: of_rows(30_000, 3), like=right_softmax).values(times=1)
    Subject("vjp_log_softmax", lambda: of_rows(30_000, 3), like=right_log).values(times=1)


@mistake
def diagonal():
    return softmax_.behaves_like(forward=lambda g, x: g * x.softmax(1) * (1 - x.softmax(1)))


@mistake
def whole_sum():
    def softmax(g, x):
        p = x.softmax(dim=1)
        return p * (g - (g * p).sum())

    return softmax_.behaves_like(forward=softmax) or log_.behaves_like(forward=lambda g, x: g - x.softmax(dim=1) * g.sum())
