from gradroom import Subject, check, draw, given, mistake

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


@check
def values():
    function.values()


@check
def gradient():
    function.gradcheck()
    function.gradgradcheck()


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
    function.edges()
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
