import torch
from gradroom import Subject, check, draw, mistake


def of_matmul(m, k, n):
    return [plain(m, n), plain(m, k), plain(k, n)]


def of_outer(m, n):
    return [plain(m, n), plain(m), plain(n)]


def of_trace(m, n):
    return [plain(), plain(m, n), plain(n, m)]


def size():
    return draw.choice([(3, 4), (4, 2), (2, 3), (5, 5)])


right_matmul = by_autograd(lambda a, b: a @ b)
right_outer = by_autograd(torch.outer)
right_trace = by_autograd(lambda a, b: (a @ b).trace())
matmul_ = Subject("vjp_matmul", lambda: of_matmul(draw.whole(2, 5), draw.whole(1, 5), draw.whole(2, 5)), like=right_matmul)
square = Subject("vjp_matmul", lambda: of_matmul(3, 3, 3), like=right_matmul)
wide = Subject("vjp_matmul", lambda: of_matmul(2, 3, 4), like=right_matmul)
outer_ = Subject("vjp_outer", lambda: of_outer(*size()), like=right_outer)
wide_outer = Subject("vjp_outer", lambda: of_outer(3, 4), like=right_outer)
wide_trace = Subject("vjp_trace", lambda: of_trace(3, 4), like=right_trace)
square_outer = Subject("vjp_outer", lambda: of_outer(3, 3), like=right_outer)
trace_ = Subject("vjp_trace", lambda: of_trace(*size()), like=right_trace)
square_trace = Subject("vjp_trace", lambda: of_trace(3, 3), like=right_trace)


@check
def matmul():
    check_values(square, wide, matmul_)


@check
def outer():
    check_values(square_outer, outer_)


@check
def trace():
    check_values(square_trace, trace_)


@check
def single():
    check_single(wide, wide_outer, wide_trace)


@check
def unchanged():
    check_untouched(wide, wide_outer, wide_trace)


@check
def edges():
    for subject in [wide, wide_outer]:
        subject.edges()
    for subject in [square, wide_trace]:
        subject.edges(without=["one-row", "many-rows"])  # b has rows of its own
    for sizes in ((3, 1, 2), (1, 3, 2), (3, 2, 1)):
        Subject("vjp_matmul", lambda sizes=sizes: of_matmul(*sizes), like=right_matmul).values(times=1)
    for sizes in ((3, 1), (1, 3)):
        Subject("vjp_outer", lambda sizes=sizes: of_outer(*sizes), like=right_outer).values(times=1)
        Subject("vjp_trace", lambda sizes=sizes: of_trace(*sizes), like=right_trace).values(times=1)


@check
def large():
    Subject("vjp_matmul", lambda: of_matmul(30, 4000, 32), like=right_matmul).values(times=1)
    Subject("vjp_outer", lambda: of_outer(300, 400), like=right_outer).values(times=1)
    Subject("vjp_trace", lambda: of_trace(300, 400), like=right_trace).values(times=1)


@mistake
def no_transpose():
    ways = [
        lambda g, a, b: (g @ b, a.T @ g),
        lambda g, a, b: (g @ b.T, a @ g),
        lambda g, a, b: (g @ b, a @ g),
    ]
    return any(square.behaves_like(forward=way) for way in ways)


@mistake
def trace_not_transposed():
    ways = [lambda g, a, b: (g * b, g * a.T), lambda g, a, b: (g * b.T, g * a), lambda g, a, b: (g * b, g * a)]
    return any(square_trace.behaves_like(forward=way) for way in ways)
