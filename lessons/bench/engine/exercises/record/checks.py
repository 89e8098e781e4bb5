import torch
from gradroom import Subject, check, mistake


def recorded(program, numbers):
    return torch.cat([torch.full((len(numbers), 2), -1), program[:, 1:]])


plain = Subject("evaluate", lambda: [products(3), numbers(3)], like=evaluate)
beside = Subject("evaluate", lambda: [rows([[AFFINE, 0, 0], [HALF, 1, 0]]), numbers(2)], like=evaluate)
tables = Subject("recorded", lambda: [products(3), numbers(3)], like=recorded)
squares = Subject("recorded", lambda: [rows([[MUL, 0, 0], [ADD, 1, 0]]), numbers(2)], like=recorded)
alike = [Subject("evaluate", lambda draw_=draw_: [products(3), draw_(3)], like=evaluate) for draw_ in (ties, with_zeros)]
alike_tables = [Subject("recorded", lambda draw_=draw_: [products(3), draw_(3)], like=recorded) for draw_ in (ties, with_zeros)]
one_sum = Subject("evaluate", lambda: [rows([[ADD, 0, 1]]), numbers(2)], like=evaluate)


@check
def values():
    check_cells()
    for subject in [plain, *alike]:
        subject.values()


@check
def number_beside():
    beside.values()


@check
def parents():
    for subject in [squares, tables, *alike_tables]:
        subject.values()


@mistake
def only_values():
    return plain.holds("values") and any(beside.holds("raises", kind, order=0) for kind in (TypeError, AttributeError))


@mistake
def in_place():
    return one_sum.behaves_like(forward=lambda program, n: torch.stack([n[0] + n[1], n[1], n[0] + n[1]]))
