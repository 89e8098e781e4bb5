import torch
from gradroom import Subject, check, draw, mistake


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


@check
def shape():
    small.close(table, atol=1e-4)


@check
def entries():
    larger.close(table, atol=1e-4)
    largest.close(table, atol=1e-4)


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
