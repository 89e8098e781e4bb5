import torch
from gradroom import Subject, check, draw, mistake


def directions(order, count):
    """One for each order above the first."""
    return draw.tensor((order - 1, count), grad=False)


def every(count):
    """Each operation once, on the inputs, which are positive; the last value is a sum of products of neighbours."""
    program = [[k, draw.whole(0, count - 1), draw.whole(0, count - 1)] for k in range(15)]
    results = draw.shuffled(range(count, count + 15))
    for first, second in zip(results, results[1:]):
        program.append([MUL, first, second])
    last = count + 15
    for k in range(1, 14):
        program.append([ADD, last, count + 15 + k])
        last = count + len(program) - 1
    return rows(program)


def alone(operation, order=1):
    """What goes into the operation is not an input, and what comes out is multiplied."""
    return lambda: [rows([[AFFINE, 0, 0], [operation, 2, 1], [MUL, 3, 1]]), positive(2), directions(order, 2)]


def unused_program():
    return rows([[MUL, 2, 3], [MUL, 0, 1], [EXP, 5, 5]])


def of_order(order):
    return Subject("derivatives", lambda: [every(3), positive(3), directions(order, 3)], like=derivatives)


def of_each(order):
    return [Subject("derivatives", alone(k, order), like=derivatives) for k in range(15)]


diamonds = [Subject("derivatives", lambda at=at: [diamond(*at), numbers(1), NONE], like=derivatives) for at in ((1, 2), (2, 1))]
shared_ = Subject("derivatives", lambda: [shared(3), numbers(3), directions(2, 3)], like=derivatives)
EDGES = [  # of two numbers; what is left out has no value or no derivative there
    (lambda: torch.tensor([0, draw.number(0.5, 2)], dtype=torch.float64), (TWO_OVER, ROOT, LOG)),
    (lambda: numbers(2, -2, -0.5), (ROOT, LOG)),
    (lambda: draw.number(0.5, 2) * torch.ones(2, dtype=torch.float64), ()),
]


def at_edges(order):
    return [
        Subject("derivatives", lambda k=k, drawn=drawn: [rows([[k, 0, 1], [MUL, 2, 1]]), drawn(), directions(order, 2)], like=derivatives)
        for drawn, without in EDGES
        for k in range(15)
        if k not in without
    ]


def of_large_tanh(order):
    return [
        Subject(
            "derivatives",
            lambda sign=sign: [rows([[ADD, 0, 1], [TANH, 2, 2]]), sign * numbers(2, 400, 500), directions(order, 2)],
            like=lambda p, n, d: 0 * n,
        )
        for sign in (1, -1)
    ]


everywhere_ = Subject("everywhere", lambda: [shared(3), numbers(3)], like=everywhere)
of_product = Subject("derivatives", alone(MUL, 2), like=derivatives)
of_unused = [
    Subject("derivatives", lambda order=order: [unused_program(), positive(4), directions(order, 4)], like=derivatives) for order in (1, 2)
]
chain_program = rows([[MUL, 0, 0], *([ADD, k, 0] for k in range(1, 5000))])
chain = Subject("derivatives", lambda: [chain_program, numbers(1), NONE], like=lambda p, n, d: 2 * n + 4999)
chain_twice = Subject("derivatives", lambda: [chain_program, numbers(1), directions(2, 1)], like=lambda p, n, d: 2 * d[0])


doubling_program = rows([[ADD, k, k] for k in range(60)])
doublings = Subject("derivatives", lambda: [doubling_program, numbers(1), NONE], like=lambda p, n, d: torch.full_like(n, 2.0**60))


@check
def first():
    check_cells()
    for subject in [*of_each(1), *diamonds, of_order(1), everywhere_, *at_edges(1), *of_large_tanh(1)]:
        subject.values(times=1)


@check
def second():
    for subject in [*of_each(2), *at_edges(2), *of_large_tanh(2)]:
        subject.values(times=1)
    shared_.values()
    of_order(2).values()


@check
def third():
    for subject in of_each(3):
        subject.values(times=1)
    of_order(3).values()


@check
def unused():
    for subject in of_unused:
        subject.values(times=1)


@check
def deep():
    chain.values(times=1)
    chain_twice.values(times=1)


@check
def doubling():
    doublings.values(times=1)


@mistake
def constant_slopes():
    return of_order(1).holds("values", 1) and all(
        subject.behaves_like(forward=lambda p, n, d: torch.zeros_like(n)) for subject in (of_product, shared_)
    )


@mistake
def one_constant():
    return (
        all(subject.holds("values", 1) for subject in [*diamonds, of_order(1)])
        and of_product.holds("values", 1)
        and not all(subject.holds("values", 1) for subject in of_each(2))
    )
