from gradroom import Subject, check, draw, mistake


def apart_points():
    """Between 0.6 and 4 apart in each coordinate."""
    a = draw.tensor((3, 2), low=0.3, high=2.0)
    b = draw.tensor((3, 2), low=-2.0, high=-0.3)
    return [a, b]


def equal_points_too():
    a, b = apart_points()
    b = b.detach().clone()
    b[0] = a.detach()[0]
    b[1] = a.detach()[1] + 0.01  # nearer than the floor, so only Root's backward is right
    return [a, b.requires_grad_()]


apart = Subject("distance", apart_points)
equal = Subject("distance", equal_points_too)
root = Subject("Root", lambda: [draw.tensor((3,), low=0.1, high=4.0)])


@check
def values():
    apart.values()
    equal.values()
    root.values()


@check
def apart_gradients():
    apart.gradcheck()
    root.gradients()


@check
def equal_points():
    equal.gradients()


@mistake
def still_forward():
    return apart.holds("gradients") and not equal.holds("gradients")


@mistake
def instantiated():
    called = apart.holds("raises", "RuntimeError", "Legacy autograd function", order=0)  # Root()(squared)
    return called or apart.holds("raises", "TypeError", "Root cannot be given to the checks", order=0)  # Root(squared)


@mistake
def ctx_passed():
    return apart.holds("raises", "TypeError", "sqrt()", order=0)
