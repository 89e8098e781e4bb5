from gradroom import Subject, check, draw, mistake


def both_positive():
    return [draw.number(1.2, 2.0), draw.number(0.3, 0.8)]


positive_numbers = Subject("gradients", both_positive)
mixed_signs = Subject("gradients", lambda: [draw.number(-2.0, -1.2), draw.number(0.3, 0.8)])


def any_like(walks):
    return any(Subject("gradients", both_positive, like=walk).holds("values", times=2) for walk in walks)


def walk(of_a, of_x):
    """grad_a and grad_x as given, the rest as is right."""

    def gradients(x, y):
        a = x * y
        b = x + a
        grad_a = of_a(b, a)
        return of_x(a, grad_a, y), grad_a * x

    return gradients


def added_a(b, grad_b):
    return b + grad_b


def added_x(grad_b, grad_a, y):
    return grad_b + grad_a * y


@check
def positive():
    positive_numbers.values()


@check
def mixed():
    mixed_signs.values()


@mistake
def not_added():
    ways_a = [added_a, lambda b, grad_b: b, lambda b, grad_b: grad_b]
    ways_x = [added_x, lambda grad_b, grad_a, y: grad_b, lambda grad_b, grad_a, y: grad_a * y]
    return any_like(walk(of_a, of_x) for of_a in ways_a for of_x in ways_x if (of_a, of_x) != (added_a, added_x))


@mistake
def multiplied():
    ways_a = [added_a, lambda b, grad_b: b * grad_b]
    ways_x = [added_x, lambda grad_b, grad_a, y: grad_b * grad_a * y]
    return any_like(walk(of_a, of_x) for of_a in ways_a for of_x in ways_x if (of_a, of_x) != (added_a, added_x))


@mistake
def no_incoming():
    ways_a = [added_a, lambda b, grad_b: b + 1]
    ways_x = [added_x, lambda grad_b, grad_a, y: 1 + y, lambda grad_b, grad_a, y: 1 + grad_a * y]
    walks = [walk(of_a, of_x) for of_a in ways_a for of_x in ways_x if (of_a, of_x) != (added_a, added_x)]
    local = [lambda x, y: (1 + y, x), lambda x, y: (1.0, 1.0)]
    return any_like([*walks, *local])
