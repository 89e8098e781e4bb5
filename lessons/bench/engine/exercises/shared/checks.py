import torch
from gradroom import Subject, check, expect, mistake

SAID = {
    "alike": {
        "en": "The gradients are wrong where several numbers are equal, or 0.",
        "zh-Hans": "有几个数相等或等于 0 时，梯度不对。",
    },
    "everywhere": {
        "en": "The gradients are wrong where they are asked for all numbers of the graph, those computed on the way among them.",
        "zh-Hans": "对计算图中所有的数（包括中间算出的数）求梯度时，结果不对。",
    },
    "same": {
        "en": "The gradients are wrong where one operation uses a number twice, as in `y + y`, and `y` was computed itself.",
        "zh-Hans": "同一步运算把一个数用了两次（例如 `y + y`，而 `y` 本身也是算出来的）时，梯度不对。",
    },
    "several": {
        "en": "The gradients are wrong where several operations use a number `y` that was computed itself, one of them perhaps later than others.",
        "zh-Hans": "有几步运算都用到同一个算出来的数 `y`（有的可能更靠后）时，梯度不对。",
    },
    "unused": {
        "en": "The gradients are wrong where some of the numbers that were computed have no part in the last one.",
        "zh-Hans": "算出的数里，有一些与最后的结果无关，这时梯度不对。",
    },
    "aside": {
        "en": "The gradients are wrong where the last operation does not use the number that was computed just before it.",
        "zh-Hans": "最后一步运算没有用到紧挨在它前面算出的数，这时梯度不对。",
    },
    "many": {
        "en": "The gradients are wrong in a larger graph, in which numbers are used several times.",
        "zh-Hans": "在较大的计算图里，一些数用了好几次，这时梯度不对。",
    },
}


def unused_program(count):
    """The last two inputs enter only what the last value does not depend on."""
    rest = [[MUL, count - 1, count - 2], [ADD, count, count - 1]]
    used = [[MUL, 0, 1], [ADD, count + 2, 0]]
    return rows([*rest, *used])


def wide_program(count):
    """The sum of the products of neighbours, as a tree that is not deep."""
    program = [[MUL, k, k + 1] for k in range(count - 1)]
    program += [[ADD, count + 2 * k, count + 2 * k + 1] for k in range(count - 2)]
    return rows(program)


def of_wide(program, n, directions):
    out = torch.zeros_like(n)
    out[:-1] += n[1:]
    out[1:] += n[:-1]
    return out


again_ = Subject("derivatives", lambda: [shared(3), numbers(3), NONE], like=derivatives)
twice = Subject("derivatives", lambda: [rows([[AFFINE, 0, 0], [ADD, 1, 1]]), numbers(1), NONE], like=derivatives)
# 1 is used twice by one operation, and once more further on, which is done before or after it
squares = [
    Subject("derivatives", lambda at=at: [rows([[AFFINE, 0, 0], [MUL, 1, 1], [AFFINE, 1, 1], *at]), numbers(1), NONE], like=derivatives)
    for at in ([[ADD, 2, 3]], [[ADD, 3, 2]], [[AFFINE, 2, 2], [ADD, 3, 4]], [[AFFINE, 2, 2], [ADD, 4, 3]])
]
# what is made last uses neither all of what was made nor what was made just before
aside_ = Subject(
    "derivatives", lambda: [rows([[MUL, 0, 1], [MUL, 2, 2], [ADD, 2, 1], [AFFINE, 3, 3], [MUL, 2, 1]]), numbers(2), NONE], like=derivatives
)
weighted = Subject("derivatives", lambda: [rows([[AFFINE, 0, 0], [HALF, 1, 1]]), numbers(1), NONE], like=derivatives)
diamonds = [Subject("derivatives", lambda at=at: [diamond(*at), numbers(1), NONE], like=derivatives) for at in ((1, 2), (2, 1))]
with_ties = Subject("derivatives", lambda: [shared(3), ties(3), NONE], like=derivatives)
with_some_zeros = Subject("derivatives", lambda: [shared(3), with_zeros(3), NONE], like=derivatives)
everywhere_ = Subject("everywhere", lambda: [shared(3), numbers(3)], like=everywhere)
after_another = Subject("derivatives", lambda: [rows([[MUL, 2, 3], [MUL, 0, 1]]), numbers(4), NONE], like=derivatives)
unused_ = Subject("derivatives", lambda: [unused_program(4), numbers(4), NONE], like=derivatives)
chain = Subject(
    "derivatives", lambda: [rows([[ADD, k, 0] for k in range(5000)]), numbers(1), NONE], like=lambda p, n, d: torch.full_like(n, 5001)
)
doublings = Subject(
    "derivatives", lambda: [rows([[ADD, k, k] for k in range(60)]), numbers(1), NONE], like=lambda p, n, d: torch.full_like(n, 2.0**60)
)
wide_ = Subject("derivatives", lambda: [wide_program(6000), numbers(6000), NONE], like=of_wide)


def compare(subjects, said, times=1):
    """With words of the learner's own function: what is asked here is a cell's."""
    for subject in subjects:
        subject.theirs.call(subject.drawn())  # an error is shown as it is
        expect(subject.holds("values", times=times), said=said)


@check
def again():
    check_cells()
    compare([twice], SAID["same"])
    compare([*diamonds, *squares], SAID["several"])
    compare([again_], SAID["many"], times=6)
    compare([with_ties, with_some_zeros], SAID["alike"], times=3)
    compare([everywhere_], SAID["everywhere"], times=3)


@check
def unused():
    compare([unused_, after_another], SAID["unused"])


@check
def aside():
    compare([aside_], SAID["aside"], times=3)


@check
def deep():
    chain.values(times=1)


@check
def doubling():
    doublings.values(times=1)


@check
def wide():
    wide_.values(times=1)


@mistake
def overwritten():
    kept = [weighted.behaves_like(forward=lambda p, n, d, slope=slope: torch.full_like(n, slope)) for slope in (3.0, 1.5)]  # of 3 + 1.5
    return any(kept) and twice.behaves_like(forward=lambda p, n, d: torch.full_like(n, 3))


@mistake
def too_early():
    return twice.holds("values") and any(one.behaves_like(forward=lambda p, n, d: torch.full_like(n, 3)) for one in diamonds)


@mistake
def recursion():
    return again_.holds("values") and chain.holds("raises", RecursionError, order=0)
