from gradroom import Subject, check, draw, mistake

square = Subject("Square", lambda: [draw.tensor()])


@check
def values():
    square.values()


@check
def gradient():
    square.gradcheck()


@check
def linear():
    square.linear()


@mistake
def ignores_grad_output():
    return square.behaves_like(forward=lambda x: x**2, backward=lambda g, x: 2 * x)


@mistake
def forgets_the_two():
    return square.behaves_like(forward=lambda x: x**2, backward=lambda g, x: g * x)
