import itertools
import math

from gradroom import Subject, check, draw, expect, mistake


def short(low, high):
    """A number of three digits, which a message shows as it is."""
    return round(draw.number(low, high), 2)


positive = Subject("gradients", lambda: [short(1.2, 2.0), short(0.3, 0.8)])
mixed = Subject("gradients", lambda: [short(-2.0, -1.2), short(0.3, 0.8)])


def walk(
    b_of=lambda a, b: a, a_of=lambda a, b: b, a_sum=lambda b, a: b + a, x_sum=lambda b, a: b + a, x_of=lambda x, y: y, y_of=lambda x, y: x
):
    """The walk as it is right; each argument replaces one place: a factor of a product, or where two paths meet."""

    def gradients(x, y):
        a = x * y
        b = x + a
        grad_b = b_of(a, b)
        grad_a = a_sum(grad_b, a_of(a, b))
        return x_sum(grad_b, grad_a * x_of(x, y)), grad_a * y_of(x, y)

    return gradients


right = walk()


def near(got, expected):
    return all(math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12) for one, other in zip(got, expected))


def answer(subject):
    """The arguments, and the two numbers; None where there is something else than two numbers."""
    args = subject.drawn()
    got = subject.theirs.call(args).outputs
    return args, got if len(got) == 2 and all(isinstance(one, (int, float)) for one in got) else None


def check_one(place, subjects=(positive, positive, mixed, mixed)):
    name = "xy"[place]
    for subject in subjects:
        args, got = answer(subject)
        if got is None:
            subject.values(times=1)
            continue
        x, y = args
        wanted = right(x, y)
        at = f"x = {x:.4g}, y = {y:.4g}"
        expect(
            not near(got, wanted[::-1]) or near(got, wanted),
            said={
                "en": "Both numbers are right, and in the wrong order: first the derivative with respect to `x`, then that with respect to `y`.",
                "zh-Hans": "两个数都对，只是顺序反了：先返回对 `x` 的导数，再返回对 `y` 的导数。",
            },
        )
        expect(
            near(got[place : place + 1], wanted[place : place + 1]),
            said={
                "en": f"At {at} the derivative with respect to `{name}` is {wanted[place]:.12g}, and `gradients` gave {got[place]:.12g}.",
                "zh-Hans": f"在 {at} 处，对 `{name}` 的导数应为 {wanted[place]:.12g}，`gradients` 给出的是 {got[place]:.12g}。",
            },
        )


@check
def of_x():
    check_one(0)


@check
def of_y():
    check_one(1)


@check
def edges():
    cases = [(0.0, 1.5), (1.5, 0.0), (0.0, 0.0), (1.5, -1.0), (-1.5, -0.5), (1.0, 1.0), (2, -3), (0, 0), (900.0, -900.0), (1e-9, 1e9)]
    for case in cases:
        for place in (0, 1):
            check_one(place, [Subject("gradients", lambda: list(case))])


def is_one_of(walks):
    walks = list(walks)
    for _ in range(2):
        args, got = answer(positive)
        walks = [one for one in walks if got is not None and near(got, one(*args))]
    return bool(walks)


@mistake
def swapped_factors():
    factors = [
        ("b_of", lambda a, b: b),
        ("a_of", lambda a, b: a),
        ("x_of", lambda x, y: x),
        ("y_of", lambda x, y: y),
    ]
    chosen = [some for size in range(1, 5) for some in itertools.combinations(factors, size)]
    return is_one_of(walk(**dict(some)) for some in chosen)


@mistake
def not_added():
    ways = [lambda b, a: b + a, lambda b, a: b, lambda b, a: a, lambda b, a: b * a]
    return is_one_of(walk(a_sum=of_a, x_sum=of_x) for of_a, of_x in itertools.product(ways, ways) if (of_a, of_x) != (ways[0], ways[0]))


@mistake
def no_incoming():
    ways_a = [lambda b, a: b + a, lambda b, a: 1 + a]
    ways_x = [lambda x, y, b, a: b + a * y, lambda x, y, b, a: 1 + y, lambda x, y, b, a: 1 + a * y]

    def local(of_a, of_x):
        def gradients(x, y):
            a = x * y
            b = x + a
            grad_a = of_a(a, b)
            return of_x(x, y, a, grad_a), grad_a * x

        return gradients

    walks = [local(of_a, of_x) for of_a in ways_a for of_x in ways_x if (of_a, of_x) != (ways_a[0], ways_x[0])]
    return is_one_of([*walks, lambda x, y: (1 + y, x), lambda x, y: (1.0, 1.0)])
