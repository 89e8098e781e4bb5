from gradroom import Subject, check, draw, mistake


def arguments(shape):
    return lambda: [draw.tensor(shape), draw.tensor(shape, grad=False)]


product = Subject("hessian_vector", arguments((3,)))
matrix = Subject("hessian_vector", arguments((2, 3)))
number = Subject("hessian_vector", arguments(()))
boxes = Subject("hessian_vector", arguments((2, 1, 3)))


@check
def values():
    product.values()


@check
def shapes():
    matrix.values()
    number.values()
    boxes.values()


@check
def edges():
    product.edges()


@mistake
def not_recorded():
    return product.holds("raises", RuntimeError, "does not require grad", order=0)


@mistake
def no_vector():
    return product.behaves_like(forward=lambda x, v: 4 * (x**2).sum() + 8 * x * x.sum())
