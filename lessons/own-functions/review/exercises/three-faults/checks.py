import torch
from gradroom import Subject, check, draw, expect, given, mistake, value

LISTED = {"en": "`layer.parameters()` should list gain and offset", "zh-Hans": "`layer.parameters()` 应当列出 gain 和 offset"}

THEIRS = {
    "en": "`train` and `gain_after` of your program do not train as they did in the given program: leave them as they are.",
    "zh-Hans": "程序里的 `train` 和 `gain_after`，训练结果与原来给出的不同：请保持原样。",
}
GIVEN = """
import torch

theirs = globals().get("gain_after")

def train(steps):
    x = torch.tensor([-2, -1.5, -1, 1, 1.5, 2], dtype=torch.double)
    layer = Gain()
    optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
    for _ in range(steps):
        loss = (layer(x) - 0.4 * x).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return layer

def gain_after(steps):
    return train(steps).gain.detach().clone()

def their_gain_after(steps):
    return theirs(steps)
"""


def spread():
    """Entries below, between and above the limits."""
    parts = [draw.tensor((2,), low=low, high=low + 1, grad=False) for low in (-3.0, -0.5, 2.0)]
    return torch.cat(parts).requires_grad_()


def is_tensor(name):
    try:
        value(name, torch.Tensor)
    except Exception:
        return False
    return True


def is_listed(name):
    return Subject("layer.get_parameter", lambda: [name]).holds("close", lambda name: torch.tensor(0.0), atol=1e9, times=1)


given("train", "gain_after", "their_gain_after", source=GIVEN)
default = Subject("clamp_through", lambda: [spread()])
limits = Subject("clamp_through", lambda: [spread(), draw.number(-1.5, -0.8), draw.number(0.8, 1.5)])
at_limits = Subject("clamp_through", lambda: [torch.tensor([-3.0, -2.0, 0.0, 1.0], dtype=torch.float64, requires_grad=True), -2, 1])
huge = Subject("clamp_through", lambda: [torch.tensor([1e20, -1e20], dtype=torch.float64, requires_grad=True)])  # beside it 1 is rounded away
function = Subject("ClampThrough", lambda: [spread(), draw.number(-1.5, -0.8), draw.number(0.8, 1.5)])
layer = Subject("layer", lambda: [draw.tensor((6,), low=-4.0, high=4.0, grad=False)])


@check
def values():
    default.values()
    limits.values()


@check
def gradient():
    default.gradients()
    limits.gradients()
    function.gradients()
    limits.linear()
    limits.scale()
    function.interleaved()


@check
def edges():
    at_limits.gradients()
    default.edges()
    huge.values(times=1)


@check
def listed():
    expect(is_listed("gain") and is_listed("offset"), said=LISTED)


def right_gain(steps):
    return Subject("gain_after", list).ours.call([steps]).outputs[0]


@check
def trained():
    for steps in (0, 1, 3, 100):
        (got,), right = Subject("gain_after", list).theirs.call([steps]).outputs, right_gain(steps)
        after = "1 step" if steps == 1 else f"{steps} steps"
        expect(
            torch.allclose(got.double(), right, rtol=1e-6),
            said={
                "en": f"Trained by `train` as it was given, `gain` is {float(got):.8g} after {after}; it should be {float(right):.8g}.",
                "zh-Hans": f"用原来给出的 `train` 训练，{steps} 步之后 `gain` 是 {float(got):.8g}，应为 {float(right):.8g}。",
            },
        )
        theirs = Subject("their_gain_after", lambda steps=steps: [steps], like=right_gain)
        expect(theirs.holds("values", times=1), said=THEIRS)
    layer.close(lambda x: (0.4 * x).clamp(-1, 1), atol=0.02)
    layer.close(lambda x: (value("layer.gain", torch.Tensor) * x + value("layer.offset", torch.Tensor)).clamp(-1, 1), atol=1e-6)


@mistake
def constant():
    return default.behaves_like(backward=lambda g, x: torch.ones_like(g))


@mistake
def bypassed():
    return default.behaves_like(backward=lambda g, x: torch.where(x.abs() < 1, g, 0))


@mistake
def not_listed():
    return is_tensor("layer.gain") and not is_listed("gain")
