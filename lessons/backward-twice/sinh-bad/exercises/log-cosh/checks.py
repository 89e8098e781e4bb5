import torch
from gradroom import Subject, check, draw, mistake

loss = Subject("log_cosh", lambda: [draw.tensor()])
function = Subject("LogCosh", lambda: [draw.tensor()])  # which log_cosh is made of; it may return more than one output
large = Subject("log_cosh", lambda: [draw.tensor((3,), low=200.0, high=400.0)])
large_negative = Subject("log_cosh", lambda: [draw.tensor((3,), low=-800.0, high=-400.0)])


@check
def values():
    loss.values()
    function.close(lambda x: x.cosh().log(), atol=1e-9)


@check
def gradient():
    loss.gradcheck()
    function.gradcheck()
    function.linear()


@check
def second():
    loss.gradgradcheck()
    function.gradgradcheck()


@check
def large_values():
    large.values()
    large_negative.values()


@mistake
def formula():
    return loss.behaves_like(backward=lambda g, x: g * (1 - torch.tanh(x) ** 2))


@mistake
def still_constant():
    return loss.holds("gradcheck") and not loss.holds("gradgradcheck")
