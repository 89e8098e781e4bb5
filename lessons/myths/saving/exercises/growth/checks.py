from gradroom import Subject, check, draw, given, mistake

given("refilled", "left")


def pair():
    x = draw.tensor(low=0.3, high=1.5)
    return [x, draw.tensor(x.shape, low=0.3, high=1.5)]


growth = Subject("Growth", pair)
altered = Subject("refilled", lambda: [*pair(), 0])
altered_w = Subject("refilled", lambda: [*pair(), 1])
remaining = Subject("left", pair)


@check
def values():
    growth.values()


@check
def gradient():
    growth.gradcheck()
    growth.gradgradcheck()


@check
def edges():
    growth.edges()


@check
def calls():
    growth.interleaved()
    growth.untouched()


@check
def change_noticed():
    for subject in (altered, altered_w):
        subject.raises(RuntimeError, "modified by an inplace operation", order=1)


@check
def freed():
    remaining.values()


def notices():
    return all(one.holds("raises", RuntimeError, "modified by an inplace operation", order=1) for one in (altered, altered_w))


@mistake
def copied():
    return growth.holds("gradcheck") and not growth.holds("gradgradcheck")


@mistake
def output_on_ctx():
    return not remaining.holds("values") and notices()


@mistake
def inputs_on_ctx():
    return remaining.holds("values") and not notices()
