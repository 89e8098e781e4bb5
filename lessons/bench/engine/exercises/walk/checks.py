import torch
from gradroom import Subject, check, draw, mistake


def slopes_of(program, numbers):
    values = build(program, numbers)
    found = [[0.0, 0.0] for _ in numbers]
    for operation, i, j in program.tolist():
        found.append([1.0, 1.0] if operation == ADD else [float(values[j]), float(values[i])])
    return torch.tensor(found, dtype=torch.float64)


def chain():
    """Every second operand is an input of its own."""
    program, last = [], 0
    for k in range(1, 6):
        program.append([draw.choice([ADD, MUL, HALF]), last, k])
        last = 6 + len(program) - 1
        program.append([AFFINE, last, last])
        last += 1
    return rows(program)


table = Subject("slopes", lambda: [products(3), numbers(3)], like=slopes_of)
one_product = Subject("slopes", lambda: [rows([[MUL, 0, 1]]), numbers(2)], like=slopes_of)
along = Subject("derivatives", lambda: [chain(), numbers(6), NONE], like=derivatives)
trees_ = Subject("derivatives", lambda: [tree(6), numbers(6), NONE], like=derivatives)
alike = [Subject("derivatives", lambda draw_=draw_: [tree(6), draw_(6), NONE], like=derivatives) for draw_ in (ties, with_zeros)]
aside = Subject("derivatives", lambda: [rows([[MUL, 0, 1], [AFFINE, 3, 3]]), numbers(3), NONE], like=derivatives)
after_another = Subject("derivatives", lambda: [rows([[MUL, 2, 3], [MUL, 0, 1]]), numbers(4), NONE], like=derivatives)
everywhere_ = Subject("everywhere", lambda: [chain(), numbers(6)], like=everywhere)
two_deep = Subject("derivatives", lambda: [rows([[MUL, 0, 1], [MUL, 3, 2]]), numbers(3), NONE], like=derivatives)


@check
def slopes():
    check_cells()
    table.values()


@check
def chains():
    along.values()


@check
def trees():
    for subject in [trees_, *alike]:
        subject.values()


@check
def unused():
    aside.values(times=1)
    after_another.values(times=1)


@check
def on_the_way():
    everywhere_.values()


@mistake
def swapped_slopes():
    def swapped(program, n):
        return torch.cat([torch.zeros(2, 2, dtype=torch.float64), n[None]])

    return one_product.behaves_like(forward=swapped)


@mistake
def no_incoming():
    def alone(program, n, directions):
        return torch.stack([n[1], n[0], n[0] * n[1]])

    return two_deep.behaves_like(forward=alone)
