from gradroom import Subject, check, draw, mistake


def apart_points():
    """Between 0.6 and 4 apart in each coordinate."""
    shape = (draw.whole(2, 3), draw.whole(1, 4))
    return [draw.tensor(shape, low=0.3, high=2.0), draw.tensor(shape, low=-2.0, high=-0.3)]


def equal_points_too():
    a, b = apart_points()
    b = b.detach().clone()
    b[0] = a.detach()[0]
    b[1] = a.detach()[1] + 0.01  # nearer than the floor, so only Root's backward is right
    return [a, b.requires_grad_()]


def nearly_equal_points():
    a, _ = apart_points()
    return [a, (a.detach() + 0.01 / a.shape[1]).requires_grad_()]


apart = Subject("distance", apart_points)
near = Subject("distance", nearly_equal_points)
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
def edges():
    apart.edges()


@check
def equal_points():
    equal.gradients()


@mistake
def still_forward():
    def of_sqrt(g, a, b):
        grad_a = g[:, None] * (a - b) / (a - b).norm(dim=-1, keepdim=True)
        return grad_a, -grad_a

    return near.behaves_like(backward=of_sqrt)


@mistake
def instantiated():
    called = apart.holds("raises", "RuntimeError", "Legacy autograd function", order=0)  # Root()(squared)
    return called or apart.holds("raises", "TypeError", "Root cannot be given to the checks", order=0)  # Root(squared)


@mistake
def ctx_passed():
    return apart.holds("raises", "TypeError", "not NoneType", order=0)
