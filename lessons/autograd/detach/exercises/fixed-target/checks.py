from gradroom import Subject, check, draw, mistake


def drawn(rows=None):
    rows = rows or draw.whole(2, 4)
    state, following = (draw.tensor((rows, 3), low=-1.0, high=1.0, grad=False) for _ in range(2))
    return [draw.tensor((3,)), state, draw.tensor((rows,), low=1.0, grad=False), following]


def single():
    """One state that is not in a matrix of one row."""
    w, *others = drawn(1)
    return [w, *(one[0] for one in others)]


value_loss = Subject("value_loss", drawn)
one_state = Subject("value_loss", single)
one_row = Subject("value_loss", lambda: drawn(1))


@check
def loss():
    value_loss.values()
    value_loss.close(lambda *args: difference(*args).square().mean(), atol=1e-10)  # in single precision it is off by more


@check
def gradient():
    value_loss.gradients()
    one_state.gradients()
    value_loss.scalars()


@check
def edges():
    one_row.gradients()
    one_state.values()
    one_row.edges(without=["one-row", "many-rows", "transposed", "gaps"])


def difference(w, state, reward, following):
    return state @ w - reward - 0.9 * (following @ w)


@mistake
def all_detached():
    args = drawn()
    graph = value_loss.theirs.call(args)
    return not graph.differentiable[0] and abs(float(graph.outputs[0]) - float(difference(*args).square().mean())) < 1e-6


@mistake
def target_trained():
    def both(g, w, state, reward, following):
        return [g * 2 * difference(w, state, reward, following) @ (state - 0.9 * following) / len(reward), None, None, None]

    return value_loss.holds("values") and value_loss.behaves_like(backward=both)


@mistake
def value_detached():
    def other(g, w, state, reward, following):
        return [g * 2 * difference(w, state, reward, following) @ (-0.9 * following) / len(reward), None, None, None]

    return value_loss.behaves_like(backward=other)
