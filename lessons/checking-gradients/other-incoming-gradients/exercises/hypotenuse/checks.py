from gradroom import Subject, check, draw, mistake


def arguments():
    shape = (draw.whole(2, 3), draw.whole(2, 3))
    return [draw.apart(draw.tensor(shape), by=0.5) for _ in range(2)]


hypot = Subject("Hypot", arguments)
near_zero = [Subject("Hypot", lambda size=size: [(size * one.detach()).requires_grad_() for one in arguments()]) for size in (1e-2, 1e-7)]
without_grad = Subject("Hypot", lambda: [one.detach() for one in arguments()])


@check
def values():
    hypot.values()


@check
def gradient():
    hypot.gradients()
    hypot.linear()


@check
def unchanged():
    hypot.untouched()


@check
def strides():
    hypot.strides()


@check
def edges():
    hypot.edges()
    hypot.scale()
    for subject in near_zero:
        subject.gradients()


@check
def calls():
    hypot.interleaved()


@mistake
def still_changed():
    return hypot.holds("gradients") and hypot.holds("linear") and without_grad.holds("untouched") and not hypot.holds("untouched")


@mistake
def still_flat():
    return hypot.holds("gradients") and hypot.holds("untouched") and not hypot.holds("strides")
