import torch
from gradroom import Subject, check, draw, mistake

loss = Subject("log_cosh", lambda: [draw.tensor()])
function = Subject("LogCosh", lambda: [draw.tensor()])  # which log_cosh is made of; it may return more than one output
far = Subject("log_cosh", lambda: [torch.tensor([300.0, -300.0, 0.0, 1e-30, 30.0, -30.0], dtype=torch.float64, requires_grad=True)])


@check
def values():
    loss.values()
    function.close(lambda x: x.cosh().log(), atol=1e-9)


@check
def gradient():
    loss.gradcheck()


@check
def second():
    loss.gradgradcheck()
    function.gradgradcheck()
    far.second()


@check
def outputs():
    function.gradcheck()
    function.linear()


@check
def large_values():
    loss.edges()
    loss.interleaved()
    loss.untouched()
    loss.dtypes()


@mistake
def formula():
    return loss.behaves_like(backward=lambda g, x: g * (1 - torch.tanh(x) ** 2))


@mistake
def still_constant():
    return loss.holds("gradcheck") and loss.behaves_like(second=lambda gg, g, x: torch.zeros_like(x))
