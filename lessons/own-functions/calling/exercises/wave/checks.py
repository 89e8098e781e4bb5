from gradroom import Subject, check, draw, given, mistake

wave = Subject("Wave", lambda: [draw.tensor(), draw.number(0.5, 1.5)])
default = Subject("Wave", lambda: [draw.tensor()])
other_rate = Subject("Wave", lambda: [draw.tensor(), draw.choice([0.0, -1.5, 3])])
given("plain")
plain = Subject("plain", lambda: [draw.tensor(), draw.number(0.5, 1.5)])


@check
def values():
    wave.values()


@check
def gradient():
    wave.gradcheck()
    wave.linear()
    wave.interleaved()
    wave.untouched()


@check
def default_rate():
    default.values()
    default.gradients()


@check
def edges():
    wave.edges()
    default.edges()
    Subject("Wave", lambda: [draw.tensor(), 0.0]).gradients()
    other_rate.gradients()


@check
def plain_values():
    plain.values()


@mistake
def ctx_left():
    if wave.holds("values"):
        refused = plain.holds("raises", "AttributeError", order=0) or plain.holds("raises", "TypeError", order=0)
        return refused and not plain.holds("raises", "TypeError", "plain()", order=0)
    without_x = default.holds("raises", "TypeError", "missing a required argument: 'x'", order=0)
    return (without_x or wave.holds("raises", "TypeError", "missing a required argument", order=0)) and not plain.holds("values")


@mistake
def setup():
    if not plain.holds("values"):
        return False
    texts = ("positional arguments but 3 were given", "required positional argument", "argument 0 is of type tuple")
    return any(wave.holds("raises", "TypeError", text, order=0) for text in texts)


@mistake
def half_rate():
    if not wave.holds("values"):
        return False
    no_default = default.holds("raises", "TypeError", "missing a required argument", order=0)
    return no_default or wave.holds("raises", "RuntimeError", "expected 2, got 1")
