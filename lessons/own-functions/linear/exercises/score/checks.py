from itertools import product

from gradroom import Subject, check, draw, mistake


def inputs(rows, left, right):
    return [draw.tensor((rows, left)), draw.tensor((left, right)), draw.tensor((rows, right))]


score = Subject("Score", lambda: inputs(4, 3, 2))
thin = Subject("Score", lambda: inputs(2, 1, 3))
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
    score.interleaved()
    score.untouched()


@check
def square_sizes():
    square.gradients()


@check
def edges():
    score.edges()
    thin.gradients()
    for sizes in ((3, 2, 1), (1, 1, 1)):
        Subject("Score", lambda sizes=sizes: inputs(*sizes)).gradients()


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

    choices = list(product((right_a, axis_a), (right_m, axis_m), (right_b, axis_b)))
    return any(like(*gradients) for gradients in choices[1:])  # the first is right


@mistake
def without_incoming():
    def plain_m(g, a, m, b):
        return a.T @ b

    def plain_a(g, a, m, b):
        return b @ m.T

    def plain_b(g, a, m, b):
        return a @ m

    choices = list(product((right_a, plain_a), (right_m, plain_m), (right_b, plain_b)))
    return any(like(*gradients) for gradients in choices[1:])  # the first is right
