from gradroom import Subject, check, draw, expect, given, mistake

CHANGE = """
def squared_change(x, strength):
    y = Reverse.apply(x, strength)
    return (y - y.detach()) ** 2  # the gradient that comes in is 0, its derivative is not
"""
ZERO_INCOMING = {
    "en": "Where the gradient that comes in is 0, the second derivative is wrong: that gradient can have a derivative that is not 0.",
    "zh-Hans": "传来的梯度恰好为 0 的地方，二阶导数不对：这个梯度本身的导数不一定是 0。",
}

reverse = Subject("Reverse", lambda: [draw.tensor(), draw.number(0.1, 3.0)])
negative = Subject("Reverse", lambda: [draw.tensor(), draw.number(-900.0, -1.0)])
whole = Subject("Reverse", lambda: [draw.tensor(), draw.whole(2, 900)])
zero = Subject("Reverse", lambda: [draw.tensor(), 0.0])

change = Subject(
    "squared_change",
    lambda: [draw.tensor(), draw.number(0.1, 3.0)],
    like=lambda x, strength: square_change((1 + strength) * x.detach() - strength * x),
)
given("squared_change", source=CHANGE)


def square_change(y):
    return (y - y.detach()) ** 2


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
    expect(change.holds("second"), said=ZERO_INCOMING)


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
    reverse.edges(second=True)


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
