from gradroom import Subject, check, draw, mistake

wave = Subject("Wave", lambda: [draw.tensor(), draw.number(0.5, 1.5)])
default = Subject("Wave", lambda: [draw.tensor()])
plain = Subject("plain", lambda: [draw.tensor(), draw.number(0.5, 1.5)])


@check
def values():
    wave.values()


@check
def gradient():
    wave.gradcheck()
    wave.linear()


@check
def default_rate():
    default.values()
    default.gradients()


@check
def plain_values():
    plain.values()


@mistake
def ctx_left():
    return default.holds("raises", "TypeError", "missing a required argument", order=0)


@mistake
def one_gradient():
    return wave.holds("raises", "RuntimeError", "expected 2, got 1")


@mistake
def old_style():
    if not wave.holds("gradients"):
        return False
    return plain.holds("raises", "AttributeError", order=0) or plain.holds("raises", "TypeError", order=0)
