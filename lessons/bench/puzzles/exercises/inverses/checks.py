import torch
from gradroom import Subject, check, draw, mistake


def regular(n):
    """Far from singular and from symmetric; determinants of either sign, and of moderate size however large n is."""
    a = torch.eye(n, dtype=torch.float64) + plain(n, n) / (4 * n**0.5)
    a[0] *= draw.choice([-1, 1]) * draw.number(1, 2)
    return a


def of_inverse(n):
    return [plain(n, n), regular(n)]


def of_det(n):
    return [plain(), regular(n)]


def of_solve(n, k):
    return [plain(n, k), regular(n), plain(n, k)]


right_inverse = by_autograd(torch.linalg.inv)
right_det = by_autograd(torch.linalg.det)
right_solve = by_autograd(torch.linalg.solve)
inverse_ = Subject("vjp_inverse", lambda: of_inverse(draw.whole(2, 5)), like=right_inverse)
det_ = Subject("vjp_det", lambda: of_det(draw.whole(2, 5)), like=right_det)
solve_ = Subject("vjp_solve", lambda: of_solve(draw.whole(2, 5), draw.whole(1, 4)), like=right_solve)
one_column = Subject("vjp_solve", lambda: of_solve(draw.whole(2, 5), 1), like=right_solve)
alone = Subject("vjp_solve", lambda: of_solve(1, 1), like=right_solve)


@check
def inverse():
    check_values(inverse_)


@check
def det():
    check_values(det_)


@check
def solve():
    check_values(solve_)


@check
def single():
    check_single(inverse_, det_, solve_)


@check
def unchanged():
    check_untouched(inverse_, det_, solve_, one_column, alone)


@check
def edges():
    for subject in [inverse_, det_, solve_]:
        subject.edges(without=["zeros", "ties", "tiny", "one-row", "many-rows"])  # a would be singular, or not square
    alone.values()


@check
def large():
    Subject("vjp_inverse", lambda: of_inverse(300), like=right_inverse).values(times=1)
    Subject("vjp_det", lambda: of_det(300), like=right_det).values(times=1)
    Subject("vjp_solve", lambda: of_solve(300, 40), like=right_solve).values(times=1)


@mistake
def no_transpose():
    inv = torch.linalg.inv
    inverses = [
        lambda g, a: -inv(a) @ g @ inv(a),
        lambda g, a: -inv(a).T @ g @ inv(a),
        lambda g, a: -inv(a) @ g @ inv(a).T,
    ]
    return (
        any(inverse_.behaves_like(forward=way) for way in inverses)
        or det_.behaves_like(forward=lambda g, a: g * torch.linalg.det(a) * inv(a))
        or solve_.behaves_like(forward=lambda g, a, b: (-inv(a) @ g @ (inv(a) @ b).T, inv(a) @ g))
    )


@mistake
def sign():
    inv = torch.linalg.inv
    return inverse_.behaves_like(forward=lambda g, a: inv(a).T @ g @ inv(a).T) or solve_.behaves_like(
        forward=lambda g, a, b: (inv(a).T @ g @ (inv(a) @ b).T, inv(a).T @ g)
    )
