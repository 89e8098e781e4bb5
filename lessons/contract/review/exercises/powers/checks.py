from gradroom import Subject, check, draw, expect, given, mistake

CHANGE = """
def squared_change(x):
    return sum((y - y.detach()) ** 2 for y in Powers.apply(x))  # the gradient that comes in is 0, its derivative is not
"""
ZERO_INCOMING = {
    "en": "Where the gradient that comes in is 0, the second derivative is wrong: that gradient can have a derivative that is not 0.",
    "zh-Hans": "传来的梯度恰好为 0 的地方，二阶导数不对：这个梯度本身的导数不一定是 0。",
}

given("changed", "slopes", "tangents")


def batch():
    return draw.tensor((draw.whole(2, 4),), low=0.5, grad=False)


def moving():
    x = batch()
    return [x, draw.tensor(x.shape, low=0.5, grad=False)]


function = Subject("Powers", lambda: [draw.tensor()])
altered = Subject("changed", lambda: [draw.tensor()])
samples = Subject("slopes", lambda: [batch()])
pushed = Subject("tangents", moving)

change = Subject("squared_change", lambda: [draw.tensor()], like=lambda x: square_change(x**2) + square_change(x**3))
given("squared_change", source=CHANGE)


def square_change(y):
    return (y - y.detach()) ** 2


@check
def values():
    function.values()


@check
def gradient():
    function.gradcheck()
    function.gradgradcheck()
    expect(change.holds("second"), said=ZERO_INCOMING)


@check
def change_noticed():
    altered.raises(RuntimeError, "modified by an inplace operation", order=1)


@check
def rows():
    samples.values()


@check
def forward():
    pushed.values()


@check
def edges():
    function.edges(second=True)
    samples.edges()
    pushed.edges()
    function.dtypes()


@check
def calls():
    function.interleaved()
    function.untouched()


@mistake
def no_rule():
    return samples.holds("raises", RuntimeError, "vmap support", order=0)


@mistake
def no_jvp():
    return pushed.holds("raises", NotImplementedError, "jvp", order=0)


@mistake
def on_ctx():
    return altered.behaves_like(backward=lambda g, x: g * 2 * 3 * x)
