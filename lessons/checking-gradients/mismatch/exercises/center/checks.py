from gradroom import Subject, check, draw, mistake

center = Subject("Center", lambda: [draw.tensor((draw.whole(2, 5),))])


@check
def values():
    center.values()


@check
def gradient():
    center.gradients()
    center.gradcheck()


@check
def lengths():
    center.edges()
    center.interleaved()
    center.untouched()


@mistake
def constant():
    return center.behaves_like(backward=lambda g, x: g - 1 / g.numel())


@mistake
def scaled():
    return center.behaves_like(backward=lambda g, x: g * (1 - 1 / g.numel()))


@mistake
def summed():
    return center.behaves_like(backward=lambda g, x: g - g.sum())
