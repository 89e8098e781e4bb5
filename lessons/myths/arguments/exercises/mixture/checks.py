from gradroom import Subject, check, draw, mistake


def pair():
    shape = draw.shape()
    return [draw.tensor(shape), draw.tensor(shape)]


def offset_given():
    x, y = pair()
    return [x, y, draw.number(0.6, 0.9), draw.tensor(tuple(x.shape))]


left = Subject("Mixture", pair)
none = Subject("Mixture", lambda: [*pair(), draw.number(0.6, 0.9), None])
given = Subject("Mixture", offset_given)


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
    given.gradcheck()


@mistake
def ctx_left():
    return left.holds("raises", "TypeError", order=0)


@mistake
def leading_none():
    return given.holds("raises", "RuntimeError", "expected 4, got 5", order=1)


@mistake
def too_few():
    return none.holds("raises", "RuntimeError", "incorrect number of gradients", order=1) and given.holds("gradients")
