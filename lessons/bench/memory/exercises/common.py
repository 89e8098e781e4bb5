import torch
from gradroom import expect


def spread(x):
    return x * torch.linspace(0.5, 1.5, 256, dtype=x.dtype)[:, None]


class Sloped(torch.autograd.Function):
    """The value, whose derivative was carried along: no graph is held."""

    @staticmethod
    def forward(ctx, x, value, slope):
        ctx.save_for_backward(slope)
        return value.clone()

    @staticmethod
    def backward(ctx, grad):
        return grad * ctx.saved_tensors[0], None, None


DIGITS = 12  # of a mean over 256 rows; where single precision is computed with or kept, seven to ten are right


def check_double(subject):
    subject.gradients()
    args = subject.drawn()
    ours, theirs = subject.ours.call(args), subject.theirs.call(args)
    grads = subject.incoming(ours)
    pairs = [
        (ours.outputs[0], theirs.outputs[0]),
        (subject.ours.pull(ours, grads).outputs[0], subject.theirs.pull(theirs, grads).outputs[0]),
    ]
    for place, (expected, got) in enumerate(pairs):
        what, was = (("value", "函数值"), ("gradient", "梯度"))[place]
        expect(
            (got - expected).abs().max() <= 10**-DIGITS * expected.abs().max(),
            said={
                "en": f"The {what} has fewer than {DIGITS} right digits. Is something computed or kept in single precision?",
                "zh-Hans": f"{was}的正确数字不到 {DIGITS} 位。是不是有的地方用单精度计算或保存了？",
            },
        )
