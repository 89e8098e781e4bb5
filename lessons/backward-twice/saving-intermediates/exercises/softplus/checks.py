import torch
from gradroom import Subject, check, draw, mistake

softplus = Subject("softplus", lambda: [draw.tensor()])
outputs_of = Subject("Softplus", lambda: [draw.tensor()])

far = Subject("softplus", lambda: [torch.tensor([600.0, -600.0, 0.0, 1e-30, 30.0, -30.0], dtype=torch.float64, requires_grad=True)])


@check
def values():
    softplus.values()


@check
def gradient():
    softplus.gradcheck()


@check
def second():
    softplus.gradgradcheck()
    far.second()


@check
def outputs():
    outputs_of.gradcheck()
    outputs_of.second()


@check
def edges():
    outputs_of.edges()
    outputs_of.dtypes()


@check
def calls():
    outputs_of.interleaved()
    outputs_of.untouched()


@mistake
def extra_ignored():
    return outputs_of.behaves_like(backward=lambda g, g_s, x: g * x.sigmoid())


@mistake
def chain_forgotten():
    return outputs_of.behaves_like(backward=lambda g, g_s, x: g * x.sigmoid() + g_s)
