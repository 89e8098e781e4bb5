from gradroom import Subject, check, draw, mistake


def arguments():
    shape = (draw.whole(2, 3), draw.whole(2, 3))
    return [draw.tensor(shape), draw.tensor(shape), draw.tensor(shape)]


blend = Subject("Blend", arguments)
loss = Subject("loss", arguments)


@check
def values():
    blend.values()


@check
def gradients():
    blend.gradients()
    blend.gradcheck()
    blend.needs()
    blend.scale()
    blend.strides()
    blend.interleaved()
    blend.untouched()


@check
def edges():
    blend.edges()


@check
def in_a_loss():
    loss.values()
    loss.gradients()
    loss.edges(without=["large", "low", "incoming-large"])  # of Blend, that is asked above


@mistake
def twice():
    return blend.behaves_like(backward=lambda g, a, b, t: (g**2 * (1 - t), g**2 * t, g * (b - a)))


@mistake
def one_number():
    return any(
        blend.behaves_like(backward=lambda g, a, b, t: (g * (1 - t), g * t, number(g) * (b - a)))
        for number in (lambda g: g.sum(), lambda g: g.mean())
    )


@mistake
def sign():
    return blend.behaves_like(backward=lambda g, a, b, t: (g * (1 - t), g * t, g * (a - b)))
