from gradroom import Subject, check, draw, mistake


def pair():
    x = draw.tensor(low=0.3, high=1.5)
    return [x, draw.tensor(x.shape, low=0.3, high=1.5)]


growth = Subject("Growth", pair)
altered = Subject("refilled", pair)
remaining = Subject("left", pair)


@check
def values():
    growth.values()


@check
def gradient():
    growth.gradcheck()
    growth.gradgradcheck()


@check
def change_noticed():
    altered.raises(RuntimeError, "modified by an inplace operation", order=1)


@check
def freed():
    remaining.values()


@mistake
def copied():
    return growth.holds("gradcheck") and not growth.holds("gradgradcheck")


@mistake
def output_on_ctx():
    return not remaining.holds("values") and altered.holds("raises", RuntimeError, "modified by an inplace operation", order=1)


@mistake
def inputs_on_ctx():
    return remaining.holds("values") and not altered.holds("raises", RuntimeError, "modified by an inplace operation", order=1)
