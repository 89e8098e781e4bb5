import torch
from gradroom import Subject, check, draw, mistake


def inputs(dtype=torch.float64):
    parts = [(-3.0, -1.2), (-0.9, -0.6), (-0.4, 0.4), (0.6, 0.9), (1.2, 3.0)]
    x = torch.cat([draw.tensor((2,), low=low, high=high, grad=False) for low, high in parts])
    return [x.to(dtype).requires_grad_()]


ternary = Subject("ternary", inputs)
exact = Subject("ternary", lambda: [torch.tensor([-1.0, -0.5, 0.0, 0.5, 1.0], dtype=torch.float64, requires_grad=True)])
anywhere = Subject("ternary", lambda: [draw.tensor((12,), low=-3.0, high=3.0)])
single = Subject("ternary", lambda: inputs(torch.float32))
beyond = Subject("ternary", lambda: [torch.tensor([0.5 + 1e-9, -0.5 - 1e-9, 1 + 1e-9], dtype=torch.float64, requires_grad=True)])
far = [
    Subject("ternary", lambda dtype=dtype: [torch.tensor([3e3, -5e3], dtype=dtype).requires_grad_()])
    for dtype in (torch.float16, torch.float32)
]
half = Subject("ternary", lambda: inputs(torch.float16))


def rounded(x):
    return x.sign() * (x.abs() > 0.5)


@check
def values():
    ternary.close(rounded, atol=1e-6)


@check
def gradient():
    ternary.gradients()


@check
def incoming():
    ternary.linear()
    ternary.untouched()
    ternary.strides()


@check
def at_levels():
    exact.close(rounded, atol=1e-6, times=1)
    exact.gradients()
    beyond.values(times=1)
    beyond.gradients()


@check
def edges():
    ternary.edges()
    ternary.scalars()


@check
def calls():
    anywhere.interleaved()


@check
def dtype():
    ternary.values()
    single.values()
    half.values()
    for subject in far:
        subject.values(times=1)


@mistake
def no_gradient():
    return ternary.behaves_like(backward=lambda g, x: torch.zeros_like(x))


@mistake
def no_gate():
    return ternary.behaves_like(backward=lambda g, x: g)


@mistake
def single_precision():
    return ternary.holds("close", rounded, atol=1e-6) and not ternary.holds("values")
