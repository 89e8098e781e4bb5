import torch
from gradroom import Subject, check, draw, expect, given, mistake

DIGITS = {
    "en": "At entries of about 1e-12 the values are wrong: most digits are lost, as where numbers that are nearly equal are subtracted.",
    "zh-Hans": "元素在 1e-12 左右时，值不正确：丢掉了大部分有效数字，例如两个几乎相等的数相减就会这样。",
}


def both_sides():
    below = draw.tensor((2,), high=-0.1, grad=False)
    above = draw.tensor((2,), low=0.1, grad=False)
    return [torch.cat([below, above]).requires_grad_()]


softsign = Subject("Softsign", both_sides)


far = Subject("Softsign", lambda: [torch.tensor([1e200, -1e200], dtype=torch.float64, requires_grad=True)])  # whose squares are infinite
enlarged = Subject("enlarged", lambda: both_sides(), like=lambda x: x)
given("enlarged", source="def enlarged(x):\n    return 1e12 * Softsign.apply(1e-12 * x)\n")


@check
def values():
    softsign.values()


@check
def gradient():
    softsign.gradcheck()


@check
def incoming():
    softsign.gradients()
    softsign.linear()
    softsign.interleaved()
    softsign.untouched()


@check
def single_precision():
    softsign.dtypes()


@check
def shapes():
    softsign.scalars()


@check
def edges():
    softsign.edges()
    far.values(times=1)
    expect(enlarged.holds("values"), said=DIGITS)


@mistake
def kept_too_late():
    return softsign.behaves_like(backward=lambda g, x: g / (1 + (x / (1 + x.abs())).abs()) ** 2)


@mistake
def no_square():
    return softsign.behaves_like(backward=lambda g, x: g / (1 + x.abs()))


@mistake
def ignores_incoming():
    return softsign.behaves_like(backward=lambda g, x: 1 / (1 + x.abs()) ** 2)
