from gradroom import Subject, check, draw, mistake


def of_sum(m, n):
    return [plain(n), plain(m, n)]


def of_mean(m, n):
    return [plain(m), plain(m, n)]


def of_add(m, n):
    return [plain(m, n), plain(m, n), plain(n)]


def size():
    return draw.choice([(3, 4), (4, 2), (2, 3), (5, 5), (1, 4), (3, 1)])


right_sum = by_autograd(lambda x: x.sum(dim=0))
right_mean = by_autograd(lambda x: x.mean(dim=1))
right_add = by_autograd(lambda x, b: x + b)
sum_ = Subject("vjp_sum", lambda: of_sum(*size()), like=right_sum)
mean_ = Subject("vjp_mean", lambda: of_mean(*size()), like=right_mean)
add_ = Subject("vjp_add", lambda: of_add(*size()), like=right_add)
wide_sum = Subject("vjp_sum", lambda: of_sum(3, 4), like=right_sum)
wide_mean = Subject("vjp_mean", lambda: of_mean(3, 4), like=right_mean)
wide_add = Subject("vjp_add", lambda: of_add(3, 4), like=right_add)


@check
def sum():
    check_values(wide_sum, sum_)


@check
def mean():
    check_values(wide_mean, mean_)


@check
def add():
    check_values(wide_add, add_)


@check
def single():
    check_single(wide_sum, wide_mean, wide_add)


@check
def unchanged():
    check_untouched(wide_sum, wide_mean, wide_add)


@check
def edges():
    for rows in (1, 30):
        Subject("vjp_sum", lambda rows=rows: of_sum(rows, 4), like=right_sum).values(times=1)
    wide_sum.edges(without=["one-row", "many-rows"])  # g is no rows
    for subject in [wide_mean, wide_add]:
        subject.edges()
    for subject in list_of(4, 1):
        subject.values(times=1)


@check
def large():
    for rows, columns in ((300, 400), (30_000, 3), (3, 30_000)):  # no matrix with the longer side twice can be held
        for subject in list_of(rows, columns):
            subject.values(times=1)


def list_of(m, n):
    return [
        Subject("vjp_sum", lambda: of_sum(m, n), like=right_sum),
        Subject("vjp_mean", lambda: of_mean(m, n), like=right_mean),
        Subject("vjp_add", lambda: of_add(m, n), like=right_add),
    ]


@mistake
def not_divided():
    return wide_mean.behaves_like(forward=lambda g, x: g[:, None].expand_as(x))


@mistake
def not_summed():
    ways = [lambda g: g, lambda g: g[0], lambda g: g[-1], lambda g: g.mean(dim=0)]
    return any(wide_add.behaves_like(forward=lambda g, x, b, way=way: (g, way(g))) for way in ways)
