from gradroom import Subject, check, draw, mistake


def tensors(*grads):
    shape = draw.shape()
    return [draw.tensor(shape, grad=grad) for grad in grads]


weighted = Subject("WeightedError", lambda: tensors(True, True, True))
left_out = Subject("WeightedError", lambda: tensors(True, True))
none = Subject("WeightedError", lambda: [*tensors(True, True), None])
plain_target = Subject("WeightedError", lambda: tensors(True, False, True))
plain_target_none = Subject("WeightedError", lambda: [*tensors(True, False), None])


@check
def values():
    for subject in (weighted, left_out, none):
        subject.values(times=1)


@check
def all_three():
    weighted.gradcheck()
    weighted.linear()
    weighted.interleaved()
    weighted.untouched()


@check
def without_weight():
    for subject in (left_out, none):
        subject.gradients()
        subject.needs()


@check
def some_frozen():
    plain_target.gradients()
    weighted.needs()


@check
def edges():
    weighted.edges()
    left_out.edges()


@mistake
def unset():
    if not weighted.holds("gradients"):
        return False
    errors = (("UnboundLocalError", ""), ("RuntimeError", "expected Variable or None (got int)"))
    return any(subject.holds("raises", *error) for subject in (plain_target, plain_target_none) for error in errors)


@mistake
def counts_tensors():
    return none.holds("raises", "RuntimeError", "expected 3, got 2")


@mistake
def unguarded():
    return left_out.holds("raises", "IndexError")
