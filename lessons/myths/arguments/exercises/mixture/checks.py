from gradroom import Subject, check, draw, mistake


def pair():
    shape = draw.shape()
    return [draw.tensor(shape), draw.tensor(shape)]


def offset_given():
    x, y = pair()
    return [x, y, draw.number(0.6, 0.9), draw.tensor(tuple(x.shape))]


def weight():
    return draw.choice([0, 1, 0.0, draw.number(-3.0, -1.0), draw.number(2.0, 9.0)])


left = Subject("Mixture", pair)
none = Subject("Mixture", lambda: [*pair(), draw.number(0.6, 0.9), None])
given = Subject("Mixture", offset_given)
nothing_of_x = Subject("Mixture", lambda: [*pair(), 0, None])
weighted = Subject("Mixture", lambda: [*pair(), weight(), None])


@check
def values():
    left.values()
    none.values()
    given.values()


@check
def left_out():
    left.gradients()
    left.gradcheck()


@check
def with_none():
    none.gradients()
    none.gradcheck()


@check
def with_offset():
    given.gradients()
    given.needs()
    given.interleaved()
    given.untouched()
    given.edges()
    given.gradcheck()


@check
def weights():
    nothing_of_x.gradients()
    weighted.gradients()
    weighted.edges()
    left.edges()


@mistake
def ctx_left():
    return any(left.holds("raises", "TypeError", words, order=0) for words in ("missing", "MixtureBackward"))


@mistake
def leading_none():
    return given.holds("raises", "RuntimeError", "expected 4, got 5", order=1)


@mistake
def too_few():
    few = any(none.holds("raises", "RuntimeError", f"expected 4, got {number}", order=1) for number in (1, 2, 3))
    return few and given.holds("gradients")
