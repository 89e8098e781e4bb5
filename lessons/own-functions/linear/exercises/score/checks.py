from itertools import product

from gradroom import Subject, check, draw, mistake


def inputs(rows, left, right):
    return [draw.tensor((rows, left)), draw.tensor((left, right)), draw.tensor((rows, right))]


score = Subject("Score", lambda: inputs(4, 3, 2))
square = Subject("Score", lambda: inputs(3, 3, 3))  # here wrong products have the right shape


@check
def values():
    score.values()


@check
def gradient():
    score.gradcheck()


@check
def incoming():
    score.gradients()
    score.linear()


@check
def square_sizes():
    square.gradients()


def like(grad_a, grad_m, grad_b):
    return square.behaves_like(backward=lambda g, a, m, b: (grad_a(g, a, m, b), grad_m(g, a, m, b), grad_b(g, a, m, b)))


def right_a(g, a, m, b):
    return g[:, None] * (b @ m.T)


def right_m(g, a, m, b):
    return (g[:, None] * a).T @ b


def right_b(g, a, m, b):
    return g[:, None] * (a @ m)


def other_a(g, a, m, b):
    return g[:, None] * (b @ m)


def other_m(g, a, m, b):
    return right_m(g, a, m, b).T


def other_b(g, a, m, b):
    return g[:, None] * (a @ m.T)


@mistake
def transposed():
    choices = list(product((right_a, other_a), (right_m, other_m), (right_b, other_b)))
    return any(like(*gradients) for gradients in choices[1:])  # the first is right


@mistake
def wrong_axis():
    def axis_a(g, a, m, b):
        return g * (b @ m.T)

    def axis_m(g, a, m, b):
        return (g * a).T @ b

    def axis_b(g, a, m, b):
        return g * (a @ m)

    return like(axis_a, axis_m, axis_b) or like(axis_a, right_m, axis_b)


@mistake
def without_incoming():
    def plain_m(g, a, m, b):
        return a.T @ b

    def plain_a(g, a, m, b):
        return b @ m.T

    def plain_b(g, a, m, b):
        return a @ m

    return like(right_a, plain_m, right_b) or like(plain_a, plain_m, plain_b)
