import torch
from gradroom import Subject, check, draw, mistake


def every(count):
    """Each operation once, on the inputs, which are positive; the last value is a sum of products of all of these."""
    program = [[k, draw.whole(0, count - 1), draw.whole(0, count - 1)] for k in range(15)]
    results = draw.shuffled(range(count, count + 15))
    for first, second in zip(results, results[1:]):
        program.append([MUL, first, second])
    last = count + 14
    for k in range(1, 15):
        program.append([ADD, last if k > 1 else count + 15, count + 14 + k])
        last = count + len(program) - 1
    return rows(program)


def single(operation, *tail):
    return lambda: [rows([[operation, 0, 1], *tail]), positive(2)]


def alone(operation):
    """Twice: what goes into the operation is not an input, and what comes out is multiplied."""
    return lambda: [rows([[AFFINE, 0, 0], [operation, 2, 1], [MUL, 3, 1]]), positive(2), NONE]


every_value = Subject("evaluate", lambda: [every(3), positive(3)], like=evaluate)
every_slope = Subject("derivatives", lambda: [every(3), positive(3), NONE], like=derivatives)
each_slope = [Subject("derivatives", alone(k), like=derivatives) for k in range(15)]
left = [Subject("evaluate", single(k), like=evaluate) for k in (ONE_MINUS, TWO_OVER)]
left_slopes = [Subject("derivatives", alone(k), like=derivatives) for k in (ONE_MINUS, TWO_OVER)]
large = Subject("derivatives", lambda: [rows([[ADD, 0, 1], [TANH, 2, 2]]), numbers(2, 400, 500), NONE], like=lambda p, n, d: 0 * n)
large_value = Subject("evaluate", lambda: [rows([[ADD, 0, 1], [TANH, 2, 2]]), numbers(2, 400, 500)], like=evaluate)
small_tanh = Subject("evaluate", single(TANH), like=evaluate)
power_alone = Subject("derivatives", lambda: [rows([[ADD, 0, 1], [CUBE, 2, 2]]), positive(2), NONE], like=derivatives)

diamonds = [Subject("derivatives", lambda at=at: [diamond(*at), numbers(1), NONE], like=derivatives) for at in ((1, 2), (2, 1))]
again_ = Subject("derivatives", lambda: [shared(3), numbers(3), NONE], like=derivatives)
chain = Subject(
    "derivatives", lambda: [rows([[ADD, k, 0] for k in range(5000)]), numbers(1), NONE], like=lambda p, n, d: torch.full_like(n, 5001)
)


@check
def values():
    check_cells()
    every_value.values()


@check
def derivative():
    for subject in each_slope:
        subject.values(times=1)
    every_slope.values()


@check
def reflected():
    for subject in [*left, *left_slopes]:
        subject.values(times=2)


@check
def before():
    for subject in [*diamonds, again_, chain]:
        subject.values(times=1)


@check
def large_tanh():
    large_value.values(times=1)
    large.values(times=1)


@mistake
def reflected_number():
    ways = [lambda p, n: torch.cat([n, n[:1] - 1]), lambda p, n: torch.cat([n, n[:1] / 2])]
    return any(subject.behaves_like(forward=way) for subject, way in zip(left, ways))


@mistake
def power():
    return not power_alone.holds("values") and Subject("evaluate", single(CUBE), like=evaluate).holds("values")


@mistake
def tanh_by_exp():
    return small_tanh.holds("values") and large_value.holds("raises", OverflowError, order=0)
