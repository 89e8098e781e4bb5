import torch
from gradroom import Subject, check, draw, expect, given, mistake

OTHER_FUNCTIONS = """
import torch

def jacobian_of_other(at, a):
    names = f.__globals__
    before = names["f"]
    names["f"] = lambda x: torch.stack([torch.sin(a * x).sum(), (x * x.flip(0)).sum() + (3 * x.sum()).detach()])
    try:
        return jacobian(at)
    finally:
        names["f"] = before
"""


def numbers(count):
    return [[draw.choice([-1, 1]) * draw.number(0.5, 2.0) for _ in range(count)]]


def table(at):
    """The derivatives of x[i] * x[i + 1], and below them those of x[i]²."""
    size = len(at)
    out = torch.zeros(2 * size - 1, size, dtype=torch.float64)
    for i in range(size):
        out[size - 1 + i, i] = 2 * at[i]
    for i in range(size - 1):
        out[i, i], out[i, i + 1] = at[i + 1], at[i]
    return out


def transpose(at):
    return table(at).T


def running(at):
    return table(at).cumsum(0)


def total(at):
    return table(at).sum(0).expand(2 * len(at) - 1, -1)


small = Subject("jacobian", lambda: numbers(2))
larger = Subject("jacobian", lambda: numbers(3))
largest = Subject("jacobian", lambda: numbers(4))
of_other = Subject("jacobian_of_other", lambda: [*numbers(draw.whole(2, 3)), draw.number(0.5, 1.0)], like=lambda at, a: torch.zeros(()))
given("jacobian_of_other", source=OTHER_FUNCTIONS)


@check
def shape():
    small.close(table, atol=1e-4)


@check
def entries():
    larger.close(table, atol=1e-4)
    largest.close(table, atol=1e-4)


@check
def other_functions():
    at, a = of_other.drawn()
    got = of_other.theirs.call([at, a]).outputs
    x = torch.tensor(at, dtype=torch.float64)
    expected = torch.stack([a * torch.cos(a * x), 2 * x.flip(0)])
    expect(
        len(got) == 1
        and isinstance(got[0], torch.Tensor)
        and got[0].shape == expected.shape
        and torch.allclose(got[0].double(), expected, atol=1e-4),
        said={
            "en": f"With another function in the place of `f`, of {len(at)} numbers and with 2 entries, `jacobian` did not return what "
            "`backward` gives for that one. The number of rows and all entries must come from `f` itself.",
            "zh-Hans": f"把 `f` 换成另一个函数（{len(at)} 个数，结果有 2 个元素）之后，`jacobian` 返回的不是 `backward` 对那个函数求出的导数。"
            "行数和各个元素都要由 `f` 本身得出。",
        },
    )


@check
def edges():
    for at in ([1.5], [0.0, 0.0], [0.0, 1.5, 0.0], [0.75, 0.75, 0.75], [900.0, -900.0], [0.5 * place for place in range(-3, 6)]):
        Subject("jacobian", lambda: [at]).close(table, atol=1e-4, times=1)


@mistake
def same_graph():
    return small.holds("raises", RuntimeError, "a second time", order=0)


@mistake
def transposed():
    return larger.holds("close", transpose, 1e-4)


@mistake
def accumulated():
    return larger.holds("close", running, 1e-4) or larger.holds("close", total, 1e-4)
