from gradroom import Subject, check, draw, mistake


def inputs(state_grad=True, input_grad=True, sizes=(4, 3, 2)):
    batch, state, size = sizes
    return [
        draw.tensor((batch, state), grad=state_grad),
        draw.tensor((batch, size), grad=input_grad),
        draw.tensor((state, state), grad=state_grad),
        draw.tensor((size, state), grad=input_grad),
    ]


step = Subject("Step", inputs)
equal = Subject("Step", lambda: inputs(sizes=(3, 3, 3)))
other = Subject("Step", lambda: inputs(sizes=(draw.whole(1, 5), draw.whole(2, 4), draw.whole(2, 4))))
of_input = Subject("Step", lambda: inputs(state_grad=False))
of_state = Subject("Step", lambda: inputs(input_grad=False))


@check
def values():
    step.values()


@check
def from_input():
    of_input.gradients()


@check
def from_state():
    of_state.gradients()


@check
def gradcheck():
    step.gradcheck()
    step.linear()
    step.untouched()
    step.interleaved()


@check
def edges():
    step.edges()
    equal.gradients()
    for _ in range(3):
        other.gradients()
    for sizes in ((3, 1, 2), (3, 2, 1)):
        Subject("Step", lambda sizes=sizes: inputs(sizes=sizes)).gradients()


def like(grad_h, grad_u):
    return of_state.behaves_like(backward=lambda g, h, x, u, w: (grad_h(g, u), grad_u(g, h)))


@mistake
def state_matrix():
    return like(lambda g, u: g @ u.T, lambda g, h: g.T @ h)


@mistake
def state():
    return like(lambda g, u: g @ u, lambda g, h: h.T @ g)


@mistake
def unchanged():
    return like(lambda g, u: g @ u, lambda g, h: g.T @ h)
