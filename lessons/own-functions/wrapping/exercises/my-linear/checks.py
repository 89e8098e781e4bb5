import torch
from gradroom import Subject, check, draw, expect, given, mistake, value

LISTED = {
    "en": "`parameters()` should list `weight`, and `bias` if there is one",
    "zh-Hans": "`parameters()` 应当列出 `weight`；如果有 `bias`，也应当列出",
}
BOUND = {
    "en": "the weight should be drawn between −1/√n and 1/√n, also where the number n of inputs is no square number",
    "zh-Hans": "无论输入个数 n 是不是平方数，weight 都应在 −1/√n 与 1/√n 之间随机取值",
}
START = {
    "en": "with 100 inputs, the weight should be drawn between −0.1 and 0.1, and the bias should be 0",
    "zh-Hans": "输入为 100 个时，weight 应在 −0.1 与 0.1 之间随机取值，bias 应为 0",
}
FUNCTION = {
    "en": "the graph of `layer(x)` has no node of `LinearFunction`",
    "zh-Hans": "`layer(x)` 的计算图里没有 `LinearFunction` 的节点",
}
SHAPES = {
    "en": "in `MyLinear(3, 2)` the weight should have the shape (2, 3) and the bias the shape (2,)",
    "zh-Hans": "`MyLinear(3, 2)` 里，weight 的形状应为 (2, 3)，bias 的形状应为 (2,)",
}
FROZEN = {
    "en": "`weight` and `bias` should require grad, so that they can be trained",
    "zh-Hans": "`weight` 和 `bias` 应当需要梯度，否则无法训练",
}
DRAWN = {"en": "the entries of the weight should be drawn at random", "zh-Hans": "weight 的元素应当随机取值"}
BIAS = {"en": "`bare.bias` should be None", "zh-Hans": "`bare.bias` 应为 None"}


def arguments():
    features, outputs = draw.whole(2, 4), draw.whole(2, 3)
    return [draw.tensor((draw.whole(2, 4), features)), draw.tensor((outputs, features)), draw.tensor((outputs,))]


def single():
    return [draw.tensor((4, 3), dtype=torch.float32)]


def linear(x, weight, bias=None):
    return x @ weight.T if bias is None else x @ weight.T + bias


def shaped(name, *shape):
    return tuple(value(name, torch.Tensor).shape) == shape


def listed(layer, name):
    """Whether it is a Parameter of the layer, and of the right shape."""
    shape = (2, 3) if name == "weight" else (2,)
    found = Subject(f"{layer}.get_parameter", lambda: [name])
    return found.holds("close", lambda name: torch.zeros(shape), atol=1e9, times=1)


given("run", "calls_function")
given("weight_of", source="def weight_of(inputs, outputs):\n    return MyLinear(inputs, outputs).weight.detach()\n")
run = Subject("run", arguments, like=linear)
run_bare = Subject("run", lambda: arguments()[:2], like=linear)
layer = Subject("layer", single)
bare = Subject("bare", single)


@check
def parameters():
    for name in ("weight", "bias"):
        Subject("layer.get_parameter", lambda name=name: [name]).close(lambda name: value(f"layer.{name}", torch.Tensor), atol=0, times=1)
    expect(shaped("layer.weight", 2, 3) and shaped("bare.weight", 2, 3) and shaped("layer.bias", 2), said=SHAPES)
    expect(listed("layer", "weight") and listed("layer", "bias") and listed("bare", "weight"), said=LISTED)
    expect(value("layer.weight.requires_grad") and value("layer.bias.requires_grad"), said=FROZEN)


@check
def without_bias():
    expect(value("bare.bias") is None, said=BIAS)
    expect(shaped("bare.weight", 2, 3), said=SHAPES)
    bare.close(lambda x: linear(x, value("bare.weight", torch.Tensor)), atol=1e-5)
    run_bare.values()
    run_bare.gradients()


@check
def values():
    expect(shaped("layer.weight", 2, 3) and shaped("layer.bias", 2), said=SHAPES)
    layer.close(lambda x: linear(x, value("layer.weight", torch.Tensor), value("layer.bias", torch.Tensor)), atol=1e-5)
    run.values()


@check
def with_function():
    expect(Subject("calls_function", single).holds("close", lambda x: torch.tensor(1.0), atol=0, times=1), said=FUNCTION)


@check
def gradient():
    run.gradients()


@check
def edges():
    run.edges()
    for features, outputs in ((1, 3), (3, 1)):
        Subject("run", lambda f=features, k=outputs: [draw.tensor((4, f)), draw.tensor((k, f)), draw.tensor((k,))], like=linear).gradients()


@check
def start():
    weight = value("wide.weight", torch.Tensor)  # 5000 entries, so that some are near both ends
    expect(weight.abs().max() <= 0.1001 and weight.min() < -0.08 and weight.max() > 0.08, said=START)
    expect(weight.mean().abs() < 0.02 and weight.std() < 0.08, said=START)
    inputs = draw.choice([2, 3, 5, 7, 8, 12, 20])
    bound, other = inputs**-0.5, Subject("weight_of", list).theirs.call([inputs, 4000 // inputs]).outputs[0].abs().max()
    expect(0.95 * bound < other < 1.001 * bound, said=BOUND)
    rising = (weight.reshape(-1).diff() > 0).double().mean()
    expect(0.3 < rising < 0.7 and weight.std(0).min() > 0.02 and weight.std(1).min() > 0.02, said=DRAWN)
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
