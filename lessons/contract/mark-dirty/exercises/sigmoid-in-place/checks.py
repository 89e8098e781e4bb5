import torch
from gradroom import Subject, check, draw, given, mistake

given("both")

both = Subject("both", lambda: [draw.tensor()])
alone = Subject("SigmoidInPlace", lambda: [draw.tensor()])
plain = Subject("SigmoidInPlace", lambda: [draw.tensor(grad=False)])


@check
def values():
    plain.values()
    both.values()


@check
def in_place():
    alone.dirty()


@check
def gradient():
    both.gradients()


@check
def numerical():
    both.gradcheck()


def slope(y):
    return y * (1 - y)


@mistake
def not_marked():
    return both.behaves_like(
        forward=lambda a: (torch.sigmoid(a), torch.sigmoid(a)),
        backward=lambda gy, gh, a: gy * slope(torch.sigmoid(a)) + gh,
    )


@mistake
def copy_returned():
    return both.holds("raises", RuntimeError, "marked as dirty", order=0)


@mistake
def sigmoid_again():
    def backward(gy, gh, a):
        return None if gy is None or gh is None else (gy + gh) * slope(torch.sigmoid(torch.sigmoid(a)))

    return both.behaves_like(backward=backward)
