from gradroom import Subject, check, draw, given, mistake

given("penalty")

quantise = Subject("Quantise", lambda: [draw.tensor()])
penalty = Subject("penalty", lambda: [draw.tensor()])


@check
def values():
    quantise.values()


@check
def gradient():
    quantise.gradients()
    quantise.strides()
    quantise.edges()


@check
def guarded():
    penalty.raises(NotImplementedError, "first order only", order=0)


@check
def always():
    quantise.raises(NotImplementedError, "first order only", order=2)
    quantise.raises(NotImplementedError, "first order only", order=2, incoming=False)


@mistake
def asks_incoming():
    guarded = penalty.holds("raises", NotImplementedError, order=0)
    return quantise.holds("gradients") and not guarded and not quantise.holds("gradgradcheck")


@mistake
def always_raises():
    return quantise.holds("raises", NotImplementedError, order=1)
