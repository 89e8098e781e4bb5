from gradroom import Subject, check, draw, mistake

root = Subject("Root", lambda: [draw.tensor(low=-9.0, high=9.0)])

far = Subject("Root", lambda: [draw.tensor((8,), low=-1e6, high=1e6)])


@check
def values():
    root.values()


@check
def gradient():
    root.gradcheck()
    root.gradients()
    root.interleaved()
    root.untouched()


@check
def edges():
    root.edges()
    far.gradients()


@mistake
def not_inverted():
    return root.behaves_like(backward=lambda g, x: g * (3 * solve(x) ** 2 + 1))


@mistake
def nothing_incoming():
    return root.behaves_like(backward=lambda g, x: 1 / (3 * solve(x) ** 2 + 1))


def solve(x):
    y = x
    for _ in range(40):
        y = y - (y**3 + y - x) / (3 * y**2 + 1)
    return y
