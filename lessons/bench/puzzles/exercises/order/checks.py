import torch
from gradroom import Subject, check, draw, mistake


def apart(m, n):
    """No two entries of a row are nearer than 0.2 / (1 + n / 4): which is larger does not depend on rounding. The first row is negative."""
    ranks = plain(m, n).argsort(dim=1)
    first = torch.arange(m)[:, None] == 0
    return -2.5 * first + (ranks - n / 2 + draw.tensor((m, n), -0.4, 0.4, grad=False)) / (1 + n / 4)


def of_cumsum(n):
    return [plain(n), plain(n)]


def of_sort(m, n):
    return [plain(m, n), apart(m, n)]


def of_max(m, n):
    return [plain(m), apart(m, n)]


def of_take(m, n, k):
    """Every draw has a row that is taken three times, and one that is not taken."""
    left_out = draw.whole(0, m - 1)
    others = [row for row in range(m) if row != left_out]
    again = draw.choice(others)
    rows = draw.shuffled([again] * 3) + [draw.choice(others) for _ in range(k - 3)]
    return [plain(k, n), plain(m, n), torch.tensor(draw.shuffled(rows))]


def of_distinct(m, n, k):
    return [plain(k, n), plain(m, n), torch.tensor(draw.shuffled(range(m))[:k])]


right_cumsum = by_autograd(lambda x: x.cumsum(dim=0))
right_sort = by_autograd(lambda x: x.sort(dim=1).values)
right_max = by_autograd(lambda x: x.amax(dim=1))
right_take = by_autograd(lambda x, i: x[i])
cumsum_ = Subject("vjp_cumsum", lambda: of_cumsum(draw.whole(3, 6)), like=right_cumsum)
sort_ = Subject("vjp_sort", lambda: of_sort(draw.whole(2, 4), draw.whole(4, 7)), like=right_sort)
max_ = Subject("vjp_max", lambda: of_max(draw.whole(2, 4), draw.whole(2, 5)), like=right_max)
take_ = Subject("vjp_take", lambda: of_take(draw.whole(3, 5), draw.whole(1, 3), draw.whole(4, 7)), like=right_take)
distinct = Subject("vjp_take", lambda: of_distinct(draw.whole(4, 6), draw.whole(1, 3), 3), like=right_take)


@check
def cumsum():
    check_values(cumsum_)


@check
def sort():
    check_values(sort_)


@check
def max():
    check_values(max_)


@check
def take():
    check_values(take_)


@check
def single():
    check_single(cumsum_, sort_, max_, distinct)


@check
def unchanged():
    check_untouched(cumsum_, sort_, max_, take_, distinct)


@check
def edges():
    Subject("vjp_sort", lambda: of_sort(4, 1), like=right_sort).values(times=1)
    Subject("vjp_max", lambda: of_max(4, 1), like=right_max).values(times=1)
    Subject("vjp_take", lambda: of_distinct(4, 1, 3), like=right_take).values(times=1)
    cumsum_.edges()
    distinct.edges(without=["many-rows"])  # there they would not be distinct
    for subject in [sort_, max_]:
        subject.edges(without=["zeros", "ties", "tiny"])  # the entries of a row differ


@check
def large():
    Subject("vjp_cumsum", lambda: of_cumsum(100_000), like=right_cumsum).values(times=1)
    Subject("vjp_sort", lambda: of_sort(30, 4000), like=right_sort).values(times=1)
    Subject("vjp_max", lambda: of_max(30, 4000), like=right_max).values(times=1)
    Subject("vjp_sort", lambda: of_sort(30_000, 3), like=right_sort).values(times=1)  # nothing of the size rows times rows can be held
    Subject("vjp_max", lambda: of_max(30_000, 3), like=right_max).values(times=1)
    Subject("vjp_take", lambda: of_distinct(350, 300, 300), like=right_take).values(times=1)
    Subject("vjp_take", lambda: of_distinct(30_000, 3, 30_000), like=right_take).values(times=1)


@mistake
def cumsum_again():
    return cumsum_.behaves_like(forward=lambda g, x: g.cumsum(dim=0))


@mistake
def sort_again():
    return sort_.behaves_like(forward=lambda g, x: g.gather(1, x.argsort(dim=1)))


@mistake
def overwritten():
    def take(g, x, i):
        out = torch.zeros_like(x)
        out[i] = g
        return out

    return take_.behaves_like(forward=take)
