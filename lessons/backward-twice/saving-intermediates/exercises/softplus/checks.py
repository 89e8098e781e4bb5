from gradroom import Subject, check, draw, mistake

softplus = Subject("softplus", lambda: [draw.tensor()])
outputs_of = Subject("Softplus", lambda: [draw.tensor()])


@check
def values():
    softplus.values()


@check
def gradient():
    softplus.gradcheck()


@check
def second():
    softplus.gradgradcheck()


@check
def outputs():
    outputs_of.gradcheck()
    outputs_of.second()


@mistake
def extra_ignored():
    return outputs_of.behaves_like(backward=lambda g, g_s, x: g * x.sigmoid())


@mistake
def chain_forgotten():
    return outputs_of.behaves_like(backward=lambda g, g_s, x: g * x.sigmoid() + g_s)
