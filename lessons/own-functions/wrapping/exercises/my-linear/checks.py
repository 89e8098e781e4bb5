import torch
from gradroom import Subject, check, draw, expect, mistake, value

LISTED = {"en": "`parameters()` does not list it", "zh-Hans": "`parameters()` 没有列出这个张量"}
START = {
    "en": "with 100 inputs, the weight should be drawn between −0.1 and 0.1, and the bias should be 0",
    "zh-Hans": "输入为 100 个时，weight 应在 −0.1 与 0.1 之间随机取值，bias 应为 0",
}
BIAS = {"en": "`bare.bias` should be None", "zh-Hans": "`bare.bias` 应为 None"}


def arguments():
    features, outputs = draw.whole(2, 4), draw.whole(1, 3)
    return [draw.tensor((draw.whole(2, 4), features)), draw.tensor((outputs, features)), draw.tensor((outputs,))]


def single():
    return [draw.tensor((4, 3), dtype=torch.float32)]


def linear(x, weight, bias=None):
    return x @ weight.T if bias is None else x @ weight.T + bias


def listed(layer, name):
    """Whether it is a Parameter of the layer, and of the right shape."""
    shape = (2, 3) if name == "weight" else (2,)
    found = Subject(f"{layer}.get_parameter", lambda: [name])
    return found.holds("close", lambda name: torch.zeros(shape), atol=1e9, times=1)


run = Subject("run", arguments, like=linear)
run_bare = Subject("run", lambda: arguments()[:2], like=linear)
layer = Subject("layer", single)
bare = Subject("bare", single)


@check
def parameters():
    for name in ("weight", "bias"):
        Subject("layer.get_parameter", lambda name=name: [name]).close(lambda name: value(f"layer.{name}", torch.Tensor), atol=0, times=1)
    expect(value("layer.weight", torch.Tensor).shape == (2, 3) and value("layer.bias", torch.Tensor).shape == (2,))
    expect(listed("layer", "weight") and listed("layer", "bias") and listed("bare", "weight"), said=LISTED)


@check
def without_bias():
    expect(value("bare.bias") is None, said=BIAS)
    bare.close(lambda x: linear(x, value("bare.weight", torch.Tensor)), atol=1e-5)
    run_bare.values()


@check
def values():
    layer.close(lambda x: linear(x, value("layer.weight", torch.Tensor), value("layer.bias", torch.Tensor)), atol=1e-5)
    run.values()


@check
def gradient():
    run.gradients()
    run_bare.gradients()


@check
def start():
    weight = value("wide.weight", torch.Tensor)  # 5000 entries, so that some are near both ends
    expect(weight.abs().max() <= 0.1001 and weight.min() < -0.08 and weight.max() > 0.08, said=START)
    expect(weight.mean().abs() < 0.02 and weight.std() < 0.08, said=START)
    expect((value("wide.bias", torch.Tensor) == 0).all() and (value("layer.bias", torch.Tensor) == 0).all(), said=START)


def missing(name):
    try:
        value(name)
    except Exception:
        return True
    return False


@mistake
def no_bias_attribute():
    return not missing("bare.weight") and missing("bare.bias")


@mistake
def transposed():
    return not missing("layer.weight") and tuple(value("layer.weight", torch.Tensor).shape) == (3, 2)


@mistake
def plain_tensor():
    if missing("layer.weight") or tuple(value("layer.weight", torch.Tensor).shape) != (2, 3):
        return False
    return not listed("layer", "weight")
