from gradroom import Subject, check, draw, mistake

reverse = Subject("Reverse", lambda: [draw.tensor(), draw.number(0.1, 3.0)])
negative = Subject("Reverse", lambda: [draw.tensor(), draw.number(-900.0, -1.0)])
whole = Subject("Reverse", lambda: [draw.tensor(), draw.whole(2, 900)])
zero = Subject("Reverse", lambda: [draw.tensor(), 0.0])


@check
def values():
    reverse.values()


@check
def gradient():
    reverse.gradients()
    reverse.linear()


@check
def second():
    reverse.second()
    reverse.gradgradcheck()


@check
def untouched():
    reverse.untouched()


@check
def interleaved():
    reverse.interleaved()


@check
def edges():
    for subject in (negative, whole, zero):
        subject.gradients()
    reverse.edges()


@mistake
def one_gradient():
    return reverse.holds("raises", RuntimeError, "incorrect number of gradients", order=1)


@mistake
def no_minus():
    return reverse.behaves_like(
        forward=lambda x, strength: x,
        backward=lambda g, x, strength: g * strength,
    )


@mistake
def in_forward():
    return reverse.behaves_like(forward=lambda x, strength: -strength * x) or reverse.behaves_like(forward=lambda x, strength: strength * x)
