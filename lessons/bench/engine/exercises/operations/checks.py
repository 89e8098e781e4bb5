import torch
from gradroom import Subject, check, draw, given, mistake

POWERS = """
import torch

def powers(numbers, exponents):
    found = []
    for number, exponent in zip(numbers.tolist(), exponents):
        a = Value(number)
        out = a**exponent
        slope = gradients(out, [a])[0]
        found.append([out.value, getattr(slope, "value", slope)])
    return torch.tensor(found, dtype=torch.float64)
"""


BESIDE = [ONE_MINUS, SCALED, TWO_OVER]  # a number and a Value
BETWEEN = [k for k in range(15) if k not in BESIDE]


def every(count):
    """Each operation but these once, on the inputs, which are positive; the last value is a sum of products of all of these."""
    program = [[k, draw.whole(0, count - 1), draw.whole(0, count - 1)] for k in BETWEEN]
    results = draw.shuffled(range(count, count + len(program)))
    for first, second in zip(results, results[1:]):
        program.append([MUL, first, second])
    first = count + len(BETWEEN)
    program.append([ADD, first, first + 1])
    for k in range(2, len(BETWEEN) - 1):
        program.append([ADD, count + len(program) - 1, first + k])
    return rows(program)


def single(operation, *tail):
    return lambda: [rows([[operation, 0, 1], *tail]), positive(2)]


def alone(operation):
    """Twice: what goes into the operation is not an input, and what comes out is multiplied."""
    return lambda: [rows([[AFFINE, 0, 0], [operation, 2, 1], [MUL, 3, 1]]), positive(2), NONE]


def right_powers(numbers, exponents):
    n = torch.tensor(exponents, dtype=torch.float64)
    return torch.stack([numbers**n, n * numbers ** (n - 1)], 1)


every_value = Subject("evaluate", lambda: [every(3), positive(3)], like=evaluate)
every_slope = Subject("derivatives", lambda: [every(3), positive(3), NONE], like=derivatives)
each_slope = [Subject("derivatives", alone(k), like=derivatives) for k in BETWEEN]
left = [Subject("evaluate", single(k), like=evaluate) for k in (ONE_MINUS, TWO_OVER)]
sides = [Subject("evaluate", single(k), like=evaluate) for k in BESIDE]
side_slopes = [Subject("derivatives", alone(k), like=derivatives) for k in BESIDE]
tanh_program = rows([[ADD, 0, 1], [TANH, 2, 2]])
large = [
    Subject("derivatives", lambda sign=sign: [tanh_program, sign * numbers(2, 400, 500), NONE], like=lambda p, n, d: 0 * n)
    for sign in (1, -1)
]
large_values = [Subject("evaluate", lambda sign=sign: [tanh_program, sign * numbers(2, 400, 500)], like=evaluate) for sign in (1, -1)]
edge_programs = [  # of two numbers, neither of which the last operation divides by zero
    lambda k: [rows([[k, 0, 1], [MUL, 2, 1]]), torch.tensor([0, draw.number(0.5, 2)], dtype=torch.float64)],
    lambda k: [rows([[k, 0, 1], [MUL, 2, 1]]), numbers(2, -2, -0.5)],
    lambda k: [rows([[k, 0, 1], [MUL, 2, 1]]), draw.number(0.5, 2) * torch.ones(2, dtype=torch.float64)],
]
TWO = (ADD, MUL, HALF, SUB, DIV)
POSITIVE = (ROOT, LOG)
at_edges = [
    lambda k=k, edge=edge: edge(k)
    for where, edge in enumerate(edge_programs)
    for k in BETWEEN
    if k not in POSITIVE and (where < 2 or k in TWO)
]
edge_values = [Subject("evaluate", drawn, like=evaluate) for drawn in at_edges]
edge_slopes = [Subject("derivatives", lambda drawn=drawn: [*drawn(), NONE], like=derivatives) for drawn in at_edges]
side_edges = [
    Subject("derivatives", lambda k=k, edge=edge: [*edge(k), NONE], like=derivatives)
    for k, edge in [(SCALED, edge_programs[0]), *((k, edge_programs[1]) for k in BESIDE)]
]
vanishing = Subject(
    "derivatives", lambda: [rows([[EXP, 0, 0], [ADD, 1, 0]]), torch.tensor([-900.0], dtype=torch.float64), NONE], like=derivatives
)
given("powers", source=POWERS)
powers = Subject("powers", lambda: [positive(6), draw.shuffled([-2, -1.5, 0, 1, 2, 4.5])], like=right_powers)
powers_of_zero = Subject("powers", lambda: [torch.zeros(3, dtype=torch.float64), draw.shuffled([1, 2, 4])], like=right_powers)
small_tanh = Subject("evaluate", single(TANH), like=evaluate)
product_alone = Subject("derivatives", lambda: [rows([[ADD, 0, 1], [MUL, 2, 0]]), positive(2), NONE], like=derivatives)
power_alone = Subject("derivatives", lambda: [rows([[ADD, 0, 1], [CUBE, 2, 2]]), positive(2), NONE], like=derivatives)

diamonds = [Subject("derivatives", lambda at=at: [diamond(*at), numbers(1), NONE], like=derivatives) for at in ((1, 2), (2, 1))]
again_ = Subject("derivatives", lambda: [shared(3), numbers(3), NONE], like=derivatives)
unused_ = Subject("derivatives", lambda: [rows([[MUL, 0, 1]]), numbers(3), NONE], like=derivatives)
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
    for subject in [*sides, *side_slopes, *side_edges]:
        subject.values(times=2)


@check
def before():
    for subject in [*diamonds, again_, unused_, chain]:
        subject.values(times=1)


@check
def large_tanh():
    for subject in [*large_values, *large]:
        subject.values(times=1)


@check
def edges():
    for subject in [*edge_values, *edge_slopes, vanishing, powers, powers_of_zero]:
        subject.values(times=1)


@mistake
def reflected_number():
    ways = [lambda p, n: torch.cat([n, n[:1] - 1]), lambda p, n: torch.cat([n, n[:1] / 2])]
    return any(subject.behaves_like(forward=way) for subject, way in zip(left, ways))


@mistake
def power():
    return (
        product_alone.holds("values")
        and not power_alone.holds("values")
        and Subject("evaluate", single(CUBE), like=evaluate).holds("values")
    )


@mistake
def tanh_by_exp():
    return small_tanh.holds("values") and any(subject.holds("raises", OverflowError, order=0) for subject in large_values)
