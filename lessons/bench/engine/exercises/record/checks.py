import torch
from gradroom import Subject, check, mistake


def recorded(program, numbers):
    return torch.cat([torch.full((len(numbers), 2), -1), program[:, 1:]])


plain = Subject("evaluate", lambda: [products(3), numbers(3)], like=evaluate)
beside = Subject("evaluate", lambda: [rows([[AFFINE, 0, 0], [HALF, 1, 0]]), numbers(2)], like=evaluate)
tables = Subject("recorded", lambda: [products(3), numbers(3)], like=recorded)
squares = Subject("recorded", lambda: [rows([[MUL, 0, 0], [ADD, 1, 0]]), numbers(2)], like=recorded)
one_sum = Subject("evaluate", lambda: [rows([[ADD, 0, 1]]), numbers(2)], like=evaluate)


@check
def values():
    check_cells()
    plain.values()


@check
def number_beside():
    beside.values()


@check
def parents():
    squares.values()
    tables.values()


@mistake
def only_values():
    return one_sum.holds("values") and any(beside.holds("raises", kind, order=0) for kind in (TypeError, AttributeError))


@mistake
def in_place():
    return one_sum.behaves_like(forward=lambda program, n: torch.stack([n[0] + n[1], n[1], n[0] + n[1]]))
