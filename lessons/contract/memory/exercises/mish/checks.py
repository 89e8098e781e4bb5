import torch
from gradroom import Subject, check, draw, expect, given, mistake, reported

given("second_pass")

mish = Subject("Mish", lambda: [draw.tensor()])
again = Subject("second_pass", lambda: [draw.tensor()])


@check
def values():
    mish.values()


@check
def gradient():
    mish.gradcheck()
    mish.linear()


@check
def second():
    mish.gradgradcheck()


@check
def freed():
    again.raises(RuntimeError, "a second time", order=1)


@check(reported=True)
def kept():
    tensors = len(reported.saved(mish))
    expect(
        tensors == 1,
        said={"en": f"One call keeps {tensors} tensors.", "zh-Hans": f"调用一次，留下 {tensors} 个张量。"},
    )


def t(x):
    return torch.tanh(torch.nn.functional.softplus(x))


@mistake
def inner_factor():
    return mish.behaves_like(backward=lambda g, x: g * (t(x) + x * (1 - t(x) ** 2)))


@mistake
def still_kept():
    return mish.holds("gradcheck") and not mish.holds("gradgradcheck")


@mistake
def input_on_ctx():
    return mish.holds("gradgradcheck") and not again.holds("raises", RuntimeError, "a second time", order=1)
