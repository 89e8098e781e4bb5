import torch
from gradroom import Subject, check, draw, mistake


def both_sides():
    sides = [draw.tensor((2,), high=-0.1, grad=False), draw.tensor((2,), low=0.1, grad=False)]
    return [torch.cat([*sides, torch.zeros(1, dtype=torch.float64)]).requires_grad_()]


binary = Subject("Binary", both_sides)
anywhere = Subject("Binary", lambda: [draw.tensor((3, 2))])  # others are negative in each call
beside = Subject(
    "Binary", lambda: [torch.tensor([-1e-9, 1e-9, -1e-30, -0.0, torch.inf, -torch.inf], dtype=torch.float64, requires_grad=True)]
)


def signs(x):
    return torch.where(x < 0, -torch.ones_like(x), torch.ones_like(x))


@check
def numbers():
    binary.close(signs, atol=1e-6)


@check
def dtype():
    binary.values()
    binary.dtypes()


@check
def gradient():
    binary.gradients()
    binary.linear()


@check
def second():
    binary.gradgradcheck()


@check
def edges():
    beside.values()
    beside.gradients()
    binary.edges()
    binary.scalars()


@check
def calls():
    anywhere.interleaved()
    anywhere.untouched()


@mistake
def single():
    args = binary.drawn()
    outputs = binary.theirs.call(args).outputs
    return binary.holds("close", signs, 1e-6) and len(outputs) == 1 and outputs[0].dtype != args[0].dtype


@mistake
def zero_gradient():
    return binary.behaves_like(backward=lambda g, x: torch.zeros_like(x))


@mistake
def sign_of_zero():
    return binary.behaves_like(forward=torch.sign)
