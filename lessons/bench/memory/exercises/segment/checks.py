import torch
from gradroom import Subject, check, draw, expect, given, mistake, out_of_memory, reported

CALLS, LAYERS = 33, 15  # with a second tensor of 1 MiB kept by each call, the limit is passed
HELD = """
import torch

def held(starts, layers):
    found = []
    for start in starts.detach().requires_grad_():
        h = start.repeat(131072)
        found.append(Segment.apply(h, 0, layers).mean())  # of h and the result nothing is held here
    return torch.stack(found)
"""


def run(h, start, stop):
    for i in range(start, stop):
        h = h + 0.1 * torch.sin(h + i)
    return h


def drawn():
    start = draw.whole(0, 5)
    return [draw.tensor(), start, start + draw.whole(3, 6)]


def many():
    start = draw.whole(0, 5)
    return [draw.tensor((3,)), start, start + draw.whole(150, 200)]


def right_long(h, start, stop):
    with torch.no_grad():
        return run(h[:128], start, stop).repeat(1024)


def long():
    """Layers of 1 MiB, more of them than the memory holds."""
    start = draw.whole(0, 5)
    return [draw.tensor((128,), grad=False).repeat(1024).requires_grad_(), start, start + draw.whole(190, 200)]


def half():
    """Layers of 512 KiB."""
    start = draw.whole(0, 5)
    return [draw.tensor((65536,)), start, start + 14]


segment = Subject("Segment", drawn, like=run)
open_twice = Subject("Segment", lambda: [draw.tensor(), draw.whole(0, 5), draw.choice([6, 12])], like=run)  # another number of layers
many_ = Subject("Segment", many, like=run)
long_ = Subject("Segment", long, like=right_long)
held = Subject("held", lambda: [draw.tensor((CALLS,), grad=False), LAYERS], like=lambda starts, layers: run(starts, 0, layers))
given("held", source=HELD)
half_ = Subject("Segment", half, like=run)


@check
def values():
    segment.values()


@check
def gradient():
    segment.gradients()
    many_.gradients()


@check
def linear():
    segment.linear()


@check
def several_calls():
    open_twice.interleaved()


@check
def unchanged():
    segment.untouched()


@check
def edges():
    segment.edges()
    segment.scalars()
    segment.dtypes()


@check
def room():
    long_.values(times=1)
    held.values(times=1)
    open_calls = [half_.theirs.call(half_.drawn()) for _ in range(12)]  # their layers do not fit, their inputs do
    half_.gradients()
    del open_calls


@check(reported=True)
def kept():
    tensors = len(reported.saved(segment))
    expect(
        tensors == 1,
        said={
            "en": f"One call gives {tensors or 'no'} tensors to `save_for_backward`; one is enough.",
            "zh-Hans": f"调用一次，交给 `save_for_backward` 的张量有 {tensors} 个；一个就够了。",
        },
    )


@mistake
def keeps_layers():
    return out_of_memory()


@mistake
def no_grad_mode():
    return segment.holds("values") and segment.holds("raises", RuntimeError, "does not require grad")


@mistake
def drops_grad_output():
    def gradient(grad, h, start, stop):
        with torch.enable_grad():
            h = h.detach().requires_grad_()
            out = run(h, start, stop)
        return torch.autograd.grad(out.sum(), h)[0]

    return segment.behaves_like(backward=gradient)
