import torch
from gradroom import Subject, check, draw, expect, given, mistake

CHANGE = """
def squared_change(x):
    y = Binary.apply(x)
    return (y - y.detach()) ** 2  # the gradient that comes in is 0, its derivative is not
"""
ZERO_INCOMING = {
    "en": "Where the gradient that comes in is 0, the second derivative is wrong: that gradient can have a derivative that is not 0.",
    "zh-Hans": "传来的梯度恰好为 0 的地方，二阶导数不对：这个梯度本身的导数不一定是 0。",
}


def both_sides():
    sides = [draw.tensor((2,), high=-0.1, grad=False), draw.tensor((2,), low=0.1, grad=False)]
    return [torch.cat([*sides, torch.zeros(1, dtype=torch.float64)]).requires_grad_()]


binary = Subject("Binary", both_sides)
anywhere = Subject("Binary", lambda: [draw.tensor((3, 2))])  # others are negative in each call
beside = Subject(
    "Binary",
    lambda: [torch.tensor([-1e-9, 1e-9, -1e-30, -1e-60, 1e-300, -0.0, torch.inf, -torch.inf], dtype=torch.float64, requires_grad=True)],
)


def signs(x):
    return torch.where(x < 0, -torch.ones_like(x), torch.ones_like(x))


narrow = [Subject("Binary", lambda dtype=dtype: [torch.tensor([-2, -0.0, 3], dtype=dtype)]) for dtype in (torch.float16, torch.bfloat16)]
change = Subject("squared_change", both_sides, like=lambda x: square_change(x))
given("squared_change", source=CHANGE)


def square_change(y):
    return (y - y.detach()) ** 2


@check
def numbers():
    binary.close(signs, atol=1e-6)


@check
def dtype():
    binary.values()
    binary.dtypes()
    for other in narrow:
        other.values(times=1)


@check
def gradient():
    binary.gradients()
    binary.linear()


@check
def second():
    binary.gradgradcheck()
    expect(change.holds("second"), said=ZERO_INCOMING)


@check
def edges():
    beside.values()
    beside.gradients()
    binary.edges(second=True)
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
