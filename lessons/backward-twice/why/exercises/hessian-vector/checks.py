from gradroom import Subject, check, draw, mistake


def arguments(shape):
    return lambda: [draw.tensor(shape), draw.tensor(shape, grad=False)]


product = Subject("hessian_vector", arguments((3,)))
matrix = Subject("hessian_vector", arguments((2, 3)))


@check
def values():
    product.values()


@check
def shapes():
    matrix.values()


@mistake
def not_recorded():
    try:
        product.raises(RuntimeError, "does not require grad", order=0)
    except Exception:
        return False
    return True


@mistake
def no_vector():
    return product.behaves_like(forward=lambda x, v: 6 * x)
