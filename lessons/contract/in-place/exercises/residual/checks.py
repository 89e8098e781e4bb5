from gradroom import Subject, check, draw, given, mistake

given("changed")

residual = Subject("residual", lambda: [draw.apart(draw.tensor(), by=0.3)])
changed = Subject("changed", lambda: [draw.apart(draw.tensor(), by=0.3)])


@check
def values():
    residual.values()


@check
def gradient():
    residual.gradients()
    residual.gradcheck()


@check
def raises():
    changed.raises(RuntimeError, "modified by an inplace operation", order=1)


@mistake
def still_kept():
    return changed.behaves_like(backward=lambda g, x: g * 4 * (2 * x) ** 3)


@mistake
def still_in_place():
    return residual.holds("raises", RuntimeError, "modified by an inplace operation", order=1)


@mistake
def copied():
    return changed.behaves_like(backward=lambda g, x: g * 4 * x**3)
