from gradroom import Subject, check, draw, given, mistake

ZEROS = """
import torch

def pull_zeros(x):
    out = Quantise.apply(x)
    torch.autograd.grad(out, x, torch.zeros_like(out), create_graph=True)
    return out
"""

given("penalty")
given("pull_zeros", source=ZEROS)

quantise = Subject("Quantise", lambda: [draw.tensor()])
shapes = [(), (1,), (3,), (2, 2)]
quantise_of = [Subject("Quantise", lambda shape=shape: [draw.tensor(shape)]) for shape in shapes]
penalty_of = [Subject("penalty", lambda shape=shape: [draw.tensor(shape)]) for shape in shapes]
of_zeros = Subject("pull_zeros", lambda: [draw.tensor()], like=lambda x: x)


@check
def values():
    quantise.values()


@check
def gradient():
    quantise.gradients()
    quantise.strides()
    quantise.interleaved()
    quantise.edges()


@check
def guarded():
    for one in penalty_of:
        one.raises(NotImplementedError, "first order only", order=0)


@check
def always():
    for one in quantise_of:
        one.raises(NotImplementedError, "first order only", order=2)
        one.raises(NotImplementedError, "first order only", order=2, incoming=False)
    of_zeros.raises(NotImplementedError, "first order only", order=0)


@mistake
def asks_incoming():
    guarded = any(one.holds("raises", NotImplementedError, order=0) for one in penalty_of)
    return quantise.holds("gradients") and not guarded and not quantise.holds("gradgradcheck")


@mistake
def always_raises():
    return quantise.holds("raises", NotImplementedError, order=1)
